import { type Cell, type ColumnType, cellToJson } from '@trestle/driver-kit';

/**
 * A cell in a line of tab-separated values. A null cell is the bare word NULL. Text is quoted as JSON if it could be
 * misread or would break the line.
 */
export function cellText(cell: Cell, type: ColumnType = 'text'): string {
  if (cell === null) return 'NULL';
  const value = cellToJson(cell);
  if (typeof value !== 'string') return typeof value === 'object' ? jsonLine(value) : String(value);
  if (breaksLine.test(value) || value === 'NULL') return jsonLine(value);
  // In a column that may hold numbers or booleans, the text 42 or true would read as one of them, so it is quoted.
  const isPlain =
    typeof cell === 'bigint' || type === 'text' || type === 'date' || type === 'uuid' || type === 'bytes';
  return isPlain || !looksTyped.test(value) ? value : jsonLine(value);
}

/** JSON does not escape U+2028 and U+2029, and some readers end a line at them. */
function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** A name inside a sentence. Quoted as JSON unless it is one plain word. */
export function nameText(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : jsonLine(name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must find control characters.
const breaksLine = /^$|^["\s]|\s$|[\x00-\x1f\x7f\u2028\u2029]/;
const looksTyped = /^[-+.]?\d|^(true|false)$/;
