import { randomBytes } from 'node:crypto';

/** Without I, O, 0 and 1: I looks like 1, and O like 0. 32 divides 256, so each letter is equally likely. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 8;

/** For example `K7PQ-3XNA`: 40 random bits. */
export function newCode(): string {
  const text = [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** Normalises a typed code. */
export function readCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** A code has 8 characters. The limit of 20 leaves room for blanks and hyphens. A key is much longer. */
export function looksLikeCode(proof: string): boolean {
  return proof.length <= 20;
}

const triesPerMinute = 10;

/**
 * `take` returns false after ten tries within a minute. At ten tries a minute, trying all codes of 40 bits takes two
 * hundred thousand years.
 */
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
