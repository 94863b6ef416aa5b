import { replaceUnseen } from '@trestle/core';
import { type Cell, type ColumnType, cellToJson } from '@trestle/driver-kit';

/**
 * A cell in a line of tab-separated values. A null cell is the bare word NULL. Text is quoted as JSON if it could be
 * misread or would break the line.
 */
export function cellText(cell: Cell, type: ColumnType = 'text'): string {
  if (cell === null) return 'NULL';
  const value = cellToJson(cell);
  if (typeof value !== 'string') return typeof value === 'object' ? jsonLine(value) : String(value);
  if (breaksLine.test(value) || hasUnseen(value) || value === 'NULL') return jsonLine(value);
  // In a column that may hold numbers or booleans, the text 42 or true would read as one of them, so it is quoted.
  const isPlain =
    typeof cell === 'bigint' || type === 'text' || type === 'date' || type === 'uuid' || type === 'bytes';
  return isPlain || !looksTyped.test(value) ? value : jsonLine(value);
}

/**
 * JSON on one line, in which everything shows. JSON leaves U+0085, U+2028 and U+2029 as they are, where some readers end
 * a line, the control characters above U+007F, and characters that are invisible or turn the direction of the text.
 */
export function jsonLine(value: unknown): string {
  return replaceUnseen(JSON.stringify(value), escaped).replace(/[\x7f-\x9f\u2028\u2029]/g, escaped);
}

function hasUnseen(text: string): boolean {
  return replaceUnseen(text, () => '') !== text;
}

function escaped(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** A name inside a sentence. Quoted as JSON unless it is one plain word. Some letters of Hangul look like blanks. */
export function nameText(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !hasUnseen(name) ? name : jsonLine(name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must find control characters.
const breaksLine = /^$|^["\s]|\s$|[\x00-\x1f\x7f-\x9f\u2028\u2029]/;
const looksTyped = /^[-+.]?\d|^(true|false)$/;
