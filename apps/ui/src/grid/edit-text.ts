import {
  type Cell,
  type ColumnType,
  cellToText,
  isPlainDate,
  type ParsedCell,
  parseCell,
} from '@trestle/driver-kit';

/** The text an editor begins with. NULL and a value not set yet begin empty. */
export function editText(cell: Cell | undefined): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'object' && !(cell instanceof Uint8Array)) return JSON.stringify(cell, null, 2);
  return cellToText(cell);
}

/**
 * How typed text is read. A column of any type holds whatever a row put there: bytes edited as text would
 * come back as text, so the value there decides.
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

/** Whether Enter opens the editor with room although the value is short: it has more to offer than text. */
export function hasHelp(type: ColumnType): boolean {
  return type === 'date';
}

/** The moment that a plain date becomes, for the one who types it; null for every other text. */
export function dateHint(text: string, type: ColumnType): string | null {
  if (type !== 'date' || !isPlainDate(text.trim())) return null;
  const parsed = parseCell(text, 'date');
  return parsed.ok ? `${parsed.cell}, midnight UTC` : null;
}

/** The cell a commit stages: none where the text was left as it began, whatever the text would parse to. */
export function readEdit(
  text: string,
  began: string,
  type: ColumnType,
): { ok: true; cell: Cell | undefined } | Extract<ParsedCell, { ok: false }> {
  if (text === began) return { ok: true, cell: undefined };
  return parseCell(text, type);
}
