import { type Cell, type ColumnType, isVector, type ParsedCell, parseCell } from '@trestle/driver-kit';
import type { SourceValue } from './source-row.ts';

/** Converts a CSV value to a cell of this type. The text is read as if a person had typed it. */
export function fitText(value: SourceValue, type: ColumnType): ParsedCell {
  return value === null ? { ok: true, cell: null } : parseCell(String(value), type);
}

/** Converts a JSON value. Text is parsed, unless the column is of type `any`, `json` or `vector`. */
export function fitJsonValue(value: SourceValue, type: ColumnType): ParsedCell {
  if (value === null) return { ok: true, cell: null };
  if (typeof value === 'string' && type === 'any') return { ok: true, cell: value };
  if (typeof value === 'string' && type !== 'json' && type !== 'vector') return parseCell(value, type);
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
    case 'vector':
      return isVector(value) ? { ok: true, cell } : expected('an array of numbers', value);
    case 'json':
      return fitJson(value);
    case 'any':
      return typeof value === 'object' ? fitJson(value) : { ok: true, cell };
  }
}

function fitJson(value: SourceValue): ParsedCell {
  let text: string;
  try {
    text = JSON.stringify(value, (_name, inner) => {
      if (typeof inner === 'bigint') throw new RangeError(String(inner));
      return inner;
    });
  } catch (error) {
    if (!(error instanceof RangeError) || !/^-?\d+$/.test(error.message)) throw error;
    return { ok: false, problem: `${error.message} is too large to be kept exactly; put it in quotes` };
  }
  // Parsed again to reject values with too many nested levels. JSON.parse may misread a name (see
  // escaped-names.ts), so the cell is the value itself.
  const parsed = parseCell(text, 'json');
  return parsed.ok ? { ok: true, cell: value as Cell } : parsed;
}

function isWhole(value: SourceValue): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

function expected(form: string, value: SourceValue): ParsedCell {
  const found = typeof value === 'object' ? (Array.isArray(value) ? 'an array' : 'an object') : String(value);
  return { ok: false, problem: `Expected ${form}, found ${found.slice(0, 60)}` };
}
