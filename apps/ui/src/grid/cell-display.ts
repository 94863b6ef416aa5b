import {
  type Cell,
  type ColumnType,
  type ColumnValues,
  float32ToNumber,
  type Json,
} from '@trestle/driver-kit';
import type { GridColumn, GridReference } from './types.ts';

/** How a cell looks: its text, and the kind that picks font, side and colour. */
export interface CellDisplay {
  text: string;
  kind: 'text' | 'number' | 'code' | 'null' | 'empty' | 'default' | 'pending' | 'reference';
  /** The rows that the cell points to. */
  links?: GridReference[];
}

/** No cell is wider than this many characters, so no more of a value is ever looked at. */
const longest = 600;

export const pendingDisplay: CellDisplay = { text: '', kind: 'pending' };
const nullDisplay: CellDisplay = { text: 'NULL', kind: 'null' };
const emptyDisplay: CellDisplay = { text: 'empty', kind: 'empty' };

/** The value of a new row in a column that was not written: the database's default, or NULL. */
export function unsetText(
  column: Pick<GridColumn, 'defaultText' | 'readOnly' | 'insertable' | 'nullable'>,
): string {
  if (column.defaultText !== undefined) return column.defaultText;
  // The database computes it: nothing is known before the save.
  if (column.readOnly !== undefined && !column.insertable) return '';
  return column.nullable === false ? 'required' : 'NULL';
}

/** A cell that points to rows, as their titles. */
export function displayReferences(links: GridReference[]): CellDisplay {
  return {
    text: links
      .map(({ title }) => title)
      .join(', ')
      .slice(0, longest),
    kind: 'reference',
    links,
  };
}

export function displayCell(cell: Cell): CellDisplay {
  if (cell === null) return nullDisplay;
  switch (typeof cell) {
    case 'string':
      return cell === '' ? emptyDisplay : { text: visible(cell.slice(0, longest)), kind: 'text' };
    case 'number':
    case 'bigint':
      return { text: String(cell), kind: 'number' };
    case 'boolean':
      return { text: String(cell), kind: 'code' };
    default:
      if (cell instanceof Uint8Array) return { text: bytesPreview(cell), kind: 'code' };
      return { text: compactJson(cell), kind: 'code' };
  }
}

/** A uuid is read digit by digit, so it looks like code although it is text. */
export function inColumn(display: CellDisplay, type: ColumnType): CellDisplay {
  return type === 'uuid' && display.kind === 'text' ? { ...display, kind: 'code' } : display;
}

/** A stored cell's look. A vector is read where it lies: boxing 1,536 floats a cell costs frames. */
export function displayStored(values: ColumnValues, row: number): CellDisplay {
  if (values.kind === 'cells') return displayCell(values.cells[row] ?? null);
  if (!values.present[row]) return nullDisplay;
  const start = row * values.dimensions;
  const shown = values.floats.subarray(start, start + Math.min(shownOfVector, values.dimensions));
  return { text: vectorText(Array.from(shown, float32ToNumber), values.dimensions), kind: 'code' };
}

/** JSON on one line, no longer than needed: a document of megabytes costs no more than its beginning. */
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
  return visible(text.length > limit ? text.slice(0, limit) : text);
}

export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function bytesPreview(bytes: Uint8Array): string {
  const hex = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return `${byteSize(bytes.length)} · ${hex}${bytes.length > 16 ? ' …' : ''}`;
}

/** As many numbers as the widest column can show. */
const shownOfVector = 40;

/** The beginning of the JSON array, with every digit; the grid cuts it at the cell's edge. */
function vectorText(first: number[], dimensions: number): string {
  return `[${first.join(', ')}${dimensions > first.length ? ', …' : ']'}`;
}

/** Line ends, tabs and control characters as marks: a cell has one line, and nothing in it is invisible. */
function visible(text: string): string {
  return text.replace(/\r\n|[\p{Cc}\u2028\u2029]/gu, (character) => {
    if (character === '\t') return '⇥';
    const code = character.charCodeAt(0);
    if (character === '\r\n' || code === 10 || code === 13 || code > 0x2000) return '↵';
    if (code === 127) return '␡';
    return code < 32 ? String.fromCharCode(0x2400 + code) : '�';
  });
}
