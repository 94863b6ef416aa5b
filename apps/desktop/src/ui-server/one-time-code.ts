import { randomBytes } from 'node:crypto';

/** Without I, O, 0 and 1: I looks like 1, and O like 0. 32 divides 256, so each letter is equally likely. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 12;

/**
 * For example `K7PQ-3XNA-WM4T`: 60 random bits. Guesses are not limited: another user of the machine could use up any
 * limit, so that the right code is refused. A million guesses a second hit one code within its ten minutes with a
 * probability of one in 1.9 billion.
 */
export function newCode(): string {
  const text = [...randomBytes(length)].map((byte) => letters[byte % letters.length]).join('');
  return [text.slice(0, 4), text.slice(4, 8), text.slice(8)].join('-');
}

/** Normalises a typed code. */
export function readCode(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');
}

/** A code has 12 characters. The limit of 30 leaves room for blanks and hyphens. A key is much longer. */
export function looksLikeCode(proof: string): boolean {
  return proof.length <= 30;
}
