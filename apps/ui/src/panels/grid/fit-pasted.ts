import { type Cell, type ColumnType, cellToText, type ParsedCell, parseCell } from '@trestle/driver-kit';
import { editType } from '../value-editors/edit-text.ts';
import type { PastedCell } from './read-pasted.ts';
import type { GridColumn } from './types.ts';

/**
 * A value in the form that its column accepts, or a value that does not fit, with the problem. An undefined `cell` leaves
 * the column of a new row unset.
 */
export type Fitted = { cell: Cell | undefined } | { cell: Cell; problem: string };

type Column = Pick<GridColumn, 'name' | 'type' | 'nullable'>;

/**
 * Reads a pasted value by the type of its column. An empty field becomes NULL, and so does the word NULL in a column
 * that does not hold text. If the column refuses NULL: a new row gets no value; an existing row gets the empty text if
 * the column holds text, and otherwise a problem. A value that does not fit is kept, with the problem.
 */
export function fitPasted(
  pasted: NonNullable<PastedCell>,
  column: Column,
  at: { isNew: boolean; current: Cell | undefined },
): Fitted {
  const type = editType(column.type, at.current);
  if ('text' in pasted) {
    const holdsText = type === 'text' || type === 'any';
    const isNull = pasted.text === '' || (!holdsText && pasted.text.trim().toUpperCase() === 'NULL');
    return isNull ? fitNull(column, type, at.isNew) : asFitted(readText(pasted.text, type), pasted.text);
  }
  const { value } = pasted;
  if (value === null) return fitNull(column, type, at.isNew);
  if (pasted.type === column.type) return { cell: value };
  return asFitted(fitValue(value, type), isStorable(value) ? value : textOf(value));
}

function fitNull({ name, nullable }: Column, type: ColumnType, isNew: boolean): Fitted {
  if (nullable !== false) return { cell: null };
  if (isNew) return { cell: undefined };
  if (type === 'text' || type === 'any') return { cell: '' };
  return { cell: null, problem: nullRefusal(name) };
}

export function nullRefusal(column: string): string {
  return `${column} does not take NULL`;
}

/** A spreadsheet may write a boolean as yes or no, or as 1 or 0. */
function readText(text: string, type: ColumnType): ParsedCell {
  const word = type === 'boolean' ? booleans.get(text.trim().toLowerCase()) : undefined;
  return word === undefined ? parseCell(text, type) : { ok: true, cell: word };
}

const booleans = new Map([
  ['yes', true],
  ['no', false],
  ['1', true],
  ['0', false],
]);

function fitValue(value: Cell, type: ColumnType): ParsedCell {
  switch (type) {
    case 'any':
      return isStorable(value) ? { ok: true, cell: value } : readText(textOf(value), 'json');
    case 'json':
      if (typeof value === 'string') return { ok: true, cell: value };
      return isStorable([value]) ? parseCell(textOf(value), 'json') : tooLarge;
    case 'bytes':
      return value instanceof Uint8Array ? { ok: true, cell: value } : readText(textOf(value), 'bytes');
    case 'text':
      return { ok: true, cell: textOf(value) };
    default:
      return readText(textOf(value), type);
  }
}

const tooLarge: ParsedCell = {
  ok: false,
  problem: 'A number in this JSON is too large to be kept exactly; put it in quotes',
};

/** False for a JSON value with a large integer (bigint) inside: JavaScript cannot write that integer as JSON. */
function isStorable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return true;
  return Object.values(value).every((inner) => typeof inner !== 'bigint' && isStorable(inner));
}

function textOf(value: Cell): string {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return cellToText(value);
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
}

function asFitted(parsed: ParsedCell, given: Cell): Fitted {
  return parsed.ok ? { cell: parsed.cell } : { cell: given, problem: parsed.problem };
}
