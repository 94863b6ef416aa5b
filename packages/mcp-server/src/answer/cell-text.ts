import { showUnseen } from '@trestle/core';
import { type Cell, type ColumnType, cellToJson } from '@trestle/driver-kit';

/**
 * A cell in a line of tab-separated values. A null cell is the bare word NULL. Text is quoted as JSON if it could be
 * misread or would break the line.
 */
export function cellText(cell: Cell, type: ColumnType = 'text'): string {
  if (cell === null) return 'NULL';
  const value = cellToJson(cell);
  if (typeof value !== 'string') return typeof value === 'object' ? jsonLine(value) : String(value);
  if (breaksLine.test(value) || showUnseen(value) !== value || value === 'NULL') return jsonLine(value);
  // In a column that may hold numbers or booleans, the text 42 or true would read as one of them, so it is quoted.
  const isPlain =
    typeof cell === 'bigint' || type === 'text' || type === 'date' || type === 'uuid' || type === 'bytes';
  return isPlain || !looksTyped.test(value) ? value : jsonLine(value);
}

/** JSON on one line, in which everything shows. JSON leaves many invisible characters as they are. */
export function jsonLine(value: unknown): string {
  return showUnseen(JSON.stringify(value));
}

/** A name inside a sentence. Quoted as JSON unless it is one plain word. Some letters of Hangul look like blanks. */
export function nameText(name: string): string {
  return /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && showUnseen(name) === name ? name : jsonLine(name);
}

const breaksLine = /^$|^["\s]|\s$|[\n\t]/;
const looksTyped = /^[-+.]?\d|^(true|false)$/;
