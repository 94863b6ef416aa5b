import { randomBytes } from 'node:crypto';

/** Without I, O, 0 and 1, which are read for each other. 32 letters, so a byte has no favourites among them. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 8;

/** Such as `K7PQ-3XNA`: 40 random bits. */
export function newCode(): string {
  const text = [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** A code as it was made, however it was typed. */
export function readCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** A key is much longer than a code, with every blank and hyphen that a person may type. */
export function looksLikeCode(proof: string): boolean {
  return proof.length <= 20;
}

const triesPerMinute = 10;

/** Ten guesses a minute find one of 40 bits in two hundred thousand years. */
export function createCodeLimit(now: () => number): { take(): boolean } {
  let tries: number[] = [];
  return {
    take() {
      tries = tries.filter((at) => at > now() - 60_000);
      if (tries.length >= triesPerMinute) return false;
      tries.push(now());
      return true;
    },
  };
}
