import { type Cell, type ColumnType, cellToJson } from '@trestle/driver-kit';

/**
 * A cell in a line of tab-separated values. NULL is the bare word. A text that could be taken for something else, or
 * that would break the line, is quoted as JSON.
 */
export function cellText(cell: Cell, type: ColumnType = 'text'): string {
  if (cell === null) return 'NULL';
  const value = cellToJson(cell);
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (breaksLine.test(value) || value === 'NULL') return JSON.stringify(value);
  // Digits of a column that holds numbers, or anything, would read as a number.
  const isPlain =
    typeof cell === 'bigint' || type === 'text' || type === 'date' || type === 'uuid' || type === 'bytes';
  return isPlain || !looksTyped.test(value) ? value : JSON.stringify(value);
}

/** A name in a line of prose. */
export function nameText(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : JSON.stringify(name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not pass.
const breaksLine = /^$|^["\s]|\s$|[\x00-\x1f\x7f\u2028\u2029]/;
const looksTyped = /^[-+.]?\d|^(true|false)$/;
