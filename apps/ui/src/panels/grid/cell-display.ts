import {
  type Cell,
  type ColumnType,
  type ColumnValues,
  float32ToNumber,
  type Json,
} from '@trestle/driver-kit';
import { type BarLength, measureText } from '../../data/rows/measure.ts';
import { localDate } from '../value-editors/date-text.ts';
import type { GridColumn, GridReference } from './types.ts';

/** How a cell looks: its text, and its kind, which decides how the text is drawn. */
export interface CellDisplay {
  text: string;
  kind:
    | 'text'
    | 'number'
    | 'code'
    | 'null'
    | 'empty'
    | 'default'
    | 'pending'
    | 'reference'
    | 'boolean'
    | 'date'
    | 'uuid'
    | 'json'
    | 'vector'
    | 'measure';
  /** The value of a uuid, date or measure, whose `text` is shortened, local or rounded. Shown on focus and hover. */
  exact?: string;
  /** The rows that the cell points to. */
  links?: GridReference[];
  /** The numbers behind the sparkline. */
  vector?: ArrayLike<number>;
  /** How much of its bar a measure fills, from 0 to 1. */
  fraction?: number;
}

/** Texts and JSON are cut to this many characters. */
const longest = 600;

export const pendingDisplay: CellDisplay = { text: '', kind: 'pending' };
const nullDisplay: CellDisplay = { text: 'NULL', kind: 'null' };
const emptyDisplay: CellDisplay = { text: 'empty', kind: 'empty' };

/** In a new row, the text of a cell that has no value yet: the default, NULL, `required`, or nothing. */
export function unsetText(
  column: Pick<GridColumn, 'defaultText' | 'readOnly' | 'insertable' | 'nullable'>,
): string {
  if (column.defaultText !== undefined) return column.defaultText;
  // A new row cannot set this column.
  if (column.readOnly !== undefined && !column.insertable) return '';
  return column.nullable === false ? 'required' : 'NULL';
}

/** How a cell without a value looks in a new row. The text NULL looks like a stored NULL. */
export function displayUnset(column: Parameters<typeof unsetText>[0]): CellDisplay {
  const text = unsetText(column);
  return text === nullDisplay.text ? nullDisplay : { text, kind: 'default' };
}

/** How a cell that points to rows looks: it shows the titles of those rows. */
export function displayReferences(links: GridReference[]): CellDisplay {
  return {
    text: shortened(links.map(({ title }) => title).join(', ')),
    kind: 'reference',
    links,
  };
}

/** How a value looks. The column's type matters only for a uuid, a date or a vector. */
export function displayCell(cell: Cell, type: ColumnType = 'any'): CellDisplay {
  if (cell === null) return nullDisplay;
  switch (typeof cell) {
    case 'string':
      return cell === '' ? emptyDisplay : displayText(cell, type);
    case 'number':
    case 'bigint':
      return { text: String(cell), kind: 'number' };
    case 'boolean':
      return { text: String(cell), kind: 'boolean' };
    default:
      if (cell instanceof Uint8Array) return { text: bytesPreview(cell), kind: 'code' };
      if (type === 'vector' && isNumbers(cell)) {
        return displayVector(cell, cell.slice(0, shownOfVector));
      }
      return { text: compactJson(cell), kind: 'json' };
  }
}

function displayText(cell: string, type: ColumnType): CellDisplay {
  if (type === 'uuid' && cell.length > uuidDigits + 1) {
    return { text: `${visible(cell.slice(0, uuidDigits))}…`, kind: 'uuid', exact: cell.slice(0, longest) };
  }
  const local = type === 'date' ? localDate(cell) : null;
  if (local !== null) return { text: local, kind: 'date', exact: cell };
  return { text: visible(shortened(cell)), kind: 'text' };
}

/** Cuts a long text. The ellipsis shows the cut in a wide column too. */
function shortened(text: string, limit = longest): string {
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}

/** Usually enough digits to distinguish the rows of a page. */
const uuidDigits = 8;

/** A number that says how well a row matches a search, with its bar. */
export function displayMeasure(cell: Cell, lengthOf: BarLength): CellDisplay {
  if (typeof cell !== 'number' || !Number.isFinite(cell)) return displayCell(cell);
  return { text: measureText(cell), kind: 'measure', exact: String(cell), fraction: lengthOf(cell) };
}

/** How a stored cell looks. A vector is not copied whole, because copies would make scrolling slow. */
export function displayStored(values: ColumnValues, row: number, type: ColumnType = 'any'): CellDisplay {
  if (values.kind === 'cells') return displayCell(values.cells[row] ?? null, type);
  if (!values.present[row]) return nullDisplay;
  const start = row * values.dimensions;
  const vector = values.floats.subarray(start, start + values.dimensions);
  return displayVector(vector, Array.from(vector.subarray(0, shownOfVector), float32ToNumber));
}

function displayVector(vector: ArrayLike<number>, first: number[]): CellDisplay {
  return { text: vectorText(first, vector.length), kind: 'vector', vector };
}

function isNumbers(cell: Json): cell is number[] {
  return Array.isArray(cell) && cell.length > 0 && cell.every((entry) => typeof entry === 'number');
}

/** JSON on one line, cut at `limit` characters. To save time, the rest of a long document is not converted. */
export function compactJson(value: Json, limit = longest): string {
  let text = '';
  const write = (inner: Json): void => {
    if (text.length > limit) return;
    if (Array.isArray(inner)) {
      text += '[';
      for (let index = 0; index < inner.length && text.length <= limit; index++) {
        if (index > 0) text += ', ';
        write(inner[index] as Json);
      }
      text += ']';
    } else if (typeof inner === 'object' && inner !== null) {
      text += '{';
      let first = true;
      for (const key in inner) {
        if (text.length > limit) break;
        text += `${first ? '' : ', '}${JSON.stringify(key)}: `;
        first = false;
        write(inner[key] as Json);
      }
      text += '}';
    } else text += JSON.stringify(typeof inner === 'string' ? inner.slice(0, limit) : inner);
  };
  write(value);
  return visible(shortened(text, limit));
}

export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  // From 999,950 on, `toFixed` would round to 1000.0 kB.
  if (bytes < 999_950) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function bytesPreview(bytes: Uint8Array): string {
  const hex = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return `${byteSize(bytes.length)} · ${hex}${bytes.length > 16 ? ' …' : ''}`;
}

/** More numbers than a column of the usual widths can show. */
const shownOfVector = 40;

/** The first numbers of a vector, with all their digits. The grid cuts the text at the cell's edge. */
function vectorText(first: number[], dimensions: number): string {
  return `[${first.join(', ')}${dimensions > first.length ? ', …' : ']'}`;
}

/**
 * Shows line ends, tabs and control characters as marks: a cell has one line, and these characters would be
 * invisible in it.
 */
function visible(text: string): string {
  return text.replace(/\r\n|[\p{Cc}\u2028\u2029]/gu, (character) => {
    if (character === '\t') return '⇥';
    const code = character.charCodeAt(0);
    if (character === '\r\n' || code === 10 || code === 13 || code > 0x2000) return '↵';
    if (code === 127) return '␡';
    return code < 32 ? String.fromCharCode(0x2400 + code) : '�';
  });
}
