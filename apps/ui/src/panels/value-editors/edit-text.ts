import {
  type Cell,
  type ColumnType,
  cellToText,
  isPlainDate,
  type ParsedCell,
  parseCell,
} from '@trestle/driver-kit';

/** The initial text of an editor. NULL and an unset value start empty. */
export function editText(cell: Cell | undefined): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'object' && !(cell instanceof Uint8Array)) return JSON.stringify(cell, null, 2);
  return cellToText(cell);
}

/**
 * The type by which typed text is read. In a column of type `any` the current value decides: bytes that are
 * edited as text would otherwise be stored as text.
 */
export function editType(type: ColumnType, cell: Cell | undefined): ColumnType {
  if (type !== 'any' || typeof cell !== 'object' || cell === null) return type;
  return cell instanceof Uint8Array ? 'bytes' : 'json';
}

/** Whether a value needs more than one line to be edited. */
export function needsRoom(type: ColumnType, cell: Cell | undefined): boolean {
  const read = editType(type, cell);
  if (read === 'json' || read === 'vector') return true;
  return typeof cell === 'string' ? cell.length > 120 || /[\r\n]/.test(cell) : read === 'bytes';
}

/** Whether the large editor helps with a short value. For a date, it has a calendar. */
export function hasHelp(type: ColumnType): boolean {
  return type === 'date';
}

/** For a date column: the instant that is stored for a plain date, shown while the user types. Otherwise null. */
export function dateHint(text: string, type: ColumnType): string | null {
  if (type !== 'date' || !isPlainDate(text.trim())) return null;
  const parsed = parseCell(text, 'date');
  return parsed.ok ? `${parsed.cell}, midnight UTC` : null;
}

/** The cell that a commit stages. Unchanged text stages nothing, whatever it would parse to. */
export function readEdit(
  text: string,
  began: string,
  type: ColumnType,
): { ok: true; cell: Cell | undefined } | Extract<ParsedCell, { ok: false }> {
  if (text === began) return { ok: true, cell: undefined };
  return parseCell(text, type);
}
