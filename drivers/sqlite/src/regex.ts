import type { SQLOutputValue } from 'node:sqlite';

/** SQLite calls `regexp(pattern, value)` for `value REGEXP pattern`. A binary value matches no pattern. */
export function matchesRegex(pattern: SQLOutputValue, value: SQLOutputValue): number | null {
  if (pattern === null || value === null) return null;
  if (value instanceof Uint8Array) return 0;
  return compileRegex(String(pattern)).test(String(value)) ? 1 : 0;
}

/** Throws a SyntaxError if the pattern is invalid. Caches the last pattern, because a scan usually uses one pattern. */
export function compileRegex(pattern: string): RegExp {
  if (pattern !== last?.pattern) last = { pattern, regex: new RegExp(pattern, 'u') };
  return last.regex;
}

let last: { pattern: string; regex: RegExp } | undefined;
