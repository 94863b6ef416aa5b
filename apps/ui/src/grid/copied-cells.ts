import type { Cell, ColumnType } from '@trestle/driver-kit';
import type { Pasted } from './read-pasted.ts';

let copied: { text: string; rows: Cell[][]; types: ColumnType[] } | null = null;

/**
 * Text cannot tell NULL from an empty text, nor a line end inside a cell from one between rows. So the copied
 * cells are kept too.
 */
export function rememberCopied(text: string, rows: Cell[][], types: ColumnType[]): void {
  copied = { text: withPlainLines(text), rows, types };
}

/** The cells behind a clipboard text, if this window copied it last. */
export function copiedCells(text: string): Pasted | null {
  if (copied?.text !== withPlainLines(text)) return null;
  const { rows, types } = copied;
  return { rows: rows.map((row) => row.map((value, at) => ({ value, type: types[at] }))), names: null };
}

/** Microsoft Windows converts line ends on the clipboard. */
function withPlainLines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
