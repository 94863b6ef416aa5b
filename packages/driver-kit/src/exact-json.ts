import type { Json } from './values.ts';

/**
 * JSON that keeps each number. `JSON.stringify` writes -0 as 0. `print` may write a number in another way: undefined
 * leaves it as it is.
 */
export function exactJson(value: Json, print: (number: number) => string | undefined = printZero): string {
  return isPlain(value, print) ? JSON.stringify(value) : textOf(value, print);
}

/** The double that prints as this integer, or holds it exactly. Undefined if a double would round the integer. */
export function doubleOf(integer: bigint): number | undefined {
  const double = Number(integer);
  if (!Number.isFinite(double)) return undefined;
  return BigInt(double) === integer || String(double) === String(integer) ? double : undefined;
}

function printZero(number: number): string | undefined {
  return Object.is(number, -0) ? '-0' : undefined;
}

/** Checked first: `JSON.stringify` is much faster than `textOf`, and hardly any value needs `textOf`. */
function isPlain(value: Json, print: (number: number) => string | undefined): boolean {
  if (typeof value === 'number') return print(value) === undefined;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((inner) => isPlain(inner, print));
  return Object.values(value).every((inner) => isPlain(inner, print));
}

function textOf(value: Json, print: (number: number) => string | undefined): string {
  if (typeof value === 'number') return print(value) ?? JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((inner) => textOf(inner, print)).join(',')}]`;
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${textOf(inner, print)}`).join(',')}}`;
}
