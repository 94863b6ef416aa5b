import {
  type Cell,
  type ColumnType,
  doubleOf,
  isVector,
  type Json,
  type ParsedCell,
  parseCell,
} from '@trestle/driver-kit';
import type { SourceValue } from './source-row.ts';
import { readTyped, WrittenReal } from './typed-json.ts';

interface Column {
  type: ColumnType;
  /** The column keeps 5 and 5.0 apart. An integer becomes a bigint. */
  isApart: boolean;
}

/** Converts a CSV value to a cell of this column. The text is read as if a person had typed it. */
export function fitText(value: SourceValue, { type, isApart }: Column): ParsedCell {
  if (value === null) return { ok: true, cell: null };
  const parsed = fitInfinite(value, type) ?? parseCell(String(value), type);
  return parsed.ok ? { ok: true, cell: isApart ? apart(parsed.cell) : parsed.cell } : parsed;
}

/** SQLite stores infinite numbers, and an export writes them so. A driver refuses them if its database does. */
function fitInfinite(value: SourceValue, type: ColumnType): ParsedCell | undefined {
  const isInfinite = type === 'number' && (value === 'Infinity' || value === '-Infinity');
  return isInfinite ? { ok: true, cell: Number(value) } : undefined;
}

/** Converts a JSON value. Text is parsed, unless the column is of type `any`, `json` or `vector`. */
export function fitJsonValue(value: SourceValue, { type, isApart }: Column): ParsedCell {
  if (value === null) return { ok: true, cell: null };
  if (value instanceof WrittenReal) return fitPlain(value.value, type);
  if (typeof value === 'object' && type !== 'json') {
    const typed = readTyped(value);
    if (typed) return typed.ok && !isApart ? { ok: true, cell: together(typed.cell) } : typed;
  }
  const fitted = fitPlain(value, type);
  return fitted.ok && isApart && typeof value !== 'object' ? { ok: true, cell: apart(fitted.cell) } : fitted;
}

function fitPlain(value: SourceValue, type: ColumnType): ParsedCell {
  if (typeof value === 'string') {
    // UTF-8 has no form for it, so another character would be stored.
    if (!value.isWellFormed()) return cutText;
    if (type === 'any') return { ok: true, cell: value };
    if (type !== 'json' && type !== 'vector') return parseCell(value, type);
  }
  const cell = value as Cell;
  switch (type) {
    case 'int':
      return isWhole(value) ? { ok: true, cell } : expected('a whole number such as 42', value);
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint'
        ? { ok: true, cell }
        : expected('a number such as 3.14', value);
    case 'boolean':
      return typeof value === 'boolean' ? { ok: true, cell } : expected('true or false', value);
    case 'text':
      return expected('text in quotes', value);
    case 'date':
      return expected('a date in quotes such as "2026-07-28"', value);
    case 'uuid':
      return expected('a uuid in quotes', value);
    case 'bytes':
      return expected('base64 in quotes', value);
    case 'vector': {
      const vector = numbersIn(value);
      return isVector(vector) ? { ok: true, cell: vector } : expected('an array of numbers', value);
    }
    case 'json':
      return fitJson(value);
    case 'any':
      return typeof value === 'object' ? fitJson(value) : { ok: true, cell };
  }
}

const cutText: ParsedCell = { ok: false, problem: 'The text has half of a surrogate pair' };

/** An integer as a bigint. */
function apart(cell: Cell): Cell {
  return typeof cell === 'number' && Number.isSafeInteger(cell) && !Object.is(cell, -0) ? BigInt(cell) : cell;
}

/** An integer as a number, if a double holds it. */
function together(cell: Cell): Cell {
  return typeof cell === 'bigint' && Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
}

function fitJson(value: SourceValue): ParsedCell {
  let plain: Json;
  try {
    plain = doublesIn(value) as Json;
  } catch (error) {
    if (!(error instanceof RangeError) || !/^-?\d+$/.test(error.message)) throw error;
    return { ok: false, problem: `${error.message} is too large to be kept exactly; put it in quotes` };
  }
  const text = JSON.stringify(plain);
  // JSON.stringify writes half of a pair as an escape.
  if (text.includes('\\ud') && holdsCutText(plain)) return cutText;
  // Parsed again to reject values with too many nested levels. JSON.parse may misread a name (see
  // escaped-names.ts), so the cell is the value itself.
  const parsed = parseCell(text, 'json');
  return parsed.ok ? { ok: true, cell: plain } : parsed;
}

/** The value with doubles for large integers. Throws a RangeError with the integer that a double would round. */
function doublesIn(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const double = doubleOf(value);
    if (double === undefined) throw new RangeError(String(value));
    return double;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some(isNested) ? value.map(doublesIn) : value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, doublesIn(inner)]));
}

/** The numbers of a vector. The database rounds them, so a large integer may be rounded too. */
function numbersIn(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  return Array.isArray(value) && value.some(isNested) ? value.map(numbersIn) : value;
}

function isNested(value: unknown): boolean {
  return typeof value === 'bigint' || typeof value === 'object';
}

function holdsCutText(value: Json): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsCutText);
  return Object.entries(value).some(([name, inner]) => !name.isWellFormed() || holdsCutText(inner));
}

function isWhole(value: SourceValue): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

function expected(form: string, value: SourceValue): ParsedCell {
  const found = typeof value === 'object' ? (Array.isArray(value) ? 'an array' : 'an object') : String(value);
  return { ok: false, problem: `Expected ${form}, found ${found.slice(0, 60)}` };
}
