import type { Cell, ColumnHead, ColumnValues, Json, RowSet } from '@trestle/driver-kit';
import type { MaskPattern } from '../types.ts';
import { holdsPersonal, isPersonalNumber } from './personal-text.ts';

/** Replaces a masked value. NULL stays NULL. */
export const maskText = '•••';

/**
 * Which values of a column are masked. `hidden`: all. `closed`: values that match a pattern, and every object and
 * binary value. `open`: values that match a pattern. `opened` (by the user): none.
 */
export type Masked = 'hidden' | 'closed' | 'open' | 'opened';

/** Masks the cells of each column as `maskedHow` says. Calls `onFound` if an open column has a value that matches. */
export function maskRowSet(
  rows: RowSet,
  maskedHow: (head: ColumnHead) => Masked,
  patterns: readonly MaskPattern[],
  onFound: () => void = () => {},
): RowSet {
  const columns: ColumnHead[] = [];
  const values: ColumnValues[] = [];
  for (const [index, head] of rows.columns.entries()) {
    const given = rows.values[index]!;
    const how = maskedHow(head);
    if (how === 'hidden') {
      columns.push({ ...head, type: 'text', masked: true });
      values.push({ kind: 'cells', cells: hideAll(given, rows.rowCount) });
    } else if (given.kind === 'vectors' || patterns.length === 0 || how === 'opened') {
      columns.push(head);
      values.push(given);
    } else {
      const cells = given.cells.map((cell) => {
        // An object or bytes may contain a personal value in a form that no pattern recognises.
        if (how === 'closed' && typeof cell === 'object' && cell !== null) return maskText;
        return maskCell(cell, patterns);
      });
      // The mask is text, so a changed column of another type gets the type `any`. JSON stays JSON: it may contain text.
      const changed = head.type !== 'text' && cells.some((cell, row) => cell !== given.cells[row]);
      if (how === 'open' && given.cells.some((cell) => holdsPattern(cell, patterns))) onFound();
      const { masked: _, ...plain } = head;
      columns.push(changed && head.type !== 'json' ? { ...plain, type: 'any' } : plain);
      values.push({ kind: 'cells', cells });
    }
  }
  return { rowCount: rows.rowCount, columns, values };
}

export function holdsPattern(cell: Cell, patterns: readonly MaskPattern[]): boolean {
  const masked = maskCell(cell, patterns);
  if (masked === cell) return false;
  // `maskCell` copies an object even if it masks nothing. Any other cell that differs was masked.
  return typeof masked !== 'object' || JSON.stringify(masked) !== JSON.stringify(cell);
}

export function maskCell(cell: Cell, patterns: readonly MaskPattern[]): Cell {
  if (typeof cell === 'string') return holdsPersonal(cell, patterns) ? maskText : cell;
  if (typeof cell === 'number' || typeof cell === 'bigint') {
    return isPersonalNumber(cell, patterns) ? maskText : cell;
  }
  if (cell instanceof Uint8Array) {
    return holdsPersonal(Buffer.from(cell).toString('latin1'), patterns) ? maskText : cell;
  }
  return cell === null || typeof cell === 'boolean' ? cell : (maskJson(cell, patterns) as Cell);
}

/** Member names are checked too: an object may be keyed by email address. */
export function maskJson(value: Json, patterns: readonly MaskPattern[]): Json {
  if (patterns.length === 0) return value;
  if (Array.isArray(value)) return value.map((inner) => maskJson(inner, patterns));
  if (typeof value !== 'object' || value === null) return maskCell(value, patterns) as Json;
  // A phone number of Weaviate is an object. It also contains the number as an integer, which the patterns could miss.
  if (patterns.includes('phone') && 'internationalFormatted' in value) return maskText;
  let hidden = 0;
  const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
    const name = holdsPersonal(key, patterns) ? `${maskText}${hidden++ > 0 ? ` ${hidden}` : ''}` : key;
    return [name, maskJson(inner, patterns)];
  });
  return Object.fromEntries(entries);
}

/** Masks each word that contains a match. Masks the whole text if a match spans several words. */
export function maskSentence(text: string, patterns: readonly MaskPattern[]): string {
  if (patterns.length === 0) return text;
  const matches = (part: string) => holdsPersonal(part, patterns);
  // Some values match only if they are the whole text, such as `ada@localhost`. So each word is tested by itself.
  const words = text
    .split(/(\s+)/)
    .map((word) => (matches(word) || word.split(/["'`()[\]{}<>,;:=]/).some(matches) ? maskText : word));
  const rest = words.join('');
  return matches(rest) ? maskText : rest;
}

function hideAll(values: ColumnValues, rowCount: number): Cell[] {
  if (values.kind === 'cells') return values.cells.map((cell) => (cell === null ? null : maskText));
  return Array.from({ length: rowCount }, (_, row) => (values.present[row] ? maskText : null));
}
