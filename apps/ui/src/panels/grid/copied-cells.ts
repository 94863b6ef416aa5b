import type { Cell, ColumnType } from '@trestle/driver-kit';
import type { Pasted } from './read-pasted.ts';

let copied: { text: string; rows: Cell[][]; types: ColumnType[] } | null = null;

/**
 * In the clipboard's text, NULL looks like an empty text, and a line end inside a cell may look like the end of a row.
 * So the copied cells are stored too.
 */
export function rememberCopied(text: string, rows: Cell[][], types: ColumnType[]): void {
  copied = { text: withPlainLines(text), rows, types };
}

/** The copied cells, if the clipboard still has their text. */
export function copiedCells(text: string): Pasted | null {
  if (copied?.text !== withPlainLines(text)) return null;
  const { rows, types } = copied;
  return { rows: rows.map((row) => row.map((value, at) => ({ value, type: types[at] }))), names: null };
}

/** Microsoft Windows converts line ends on the clipboard. */
function withPlainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
