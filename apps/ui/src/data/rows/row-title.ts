import type { Cell, ColumnDescription } from '@trestle/driver-kit';

const usual = /^(name|title|label|heading|subject)$/i;

/**
 * The text column that names a row: a column with a usual name, or else the first text column. Columns of the key do
 * not count, nor do vectors that are stored as text.
 */
export function titleColumn<Column extends Pick<ColumnDescription, 'name' | 'type' | 'vector'>>(
  columns: Column[],
  key: string[],
): Column | undefined {
  const texts = columns.filter(
    ({ name, type, vector }) => type === 'text' && vector === undefined && !key.includes(name),
  );
  return texts.find(({ name }) => usual.test(name)) ?? texts[0];
}

/** A longer value is cut, because a browser stalls on a line of megabytes, even if only a part is visible. */
const longest = 300;

/** The value of the title column as a heading; null if it has no text. */
export function titleText(cell: Cell | undefined): string | null {
  if (typeof cell !== 'string' || cell.trim() === '') return null;
  return cell.length > longest ? `${cell.slice(0, longest).toWellFormed()}…` : cell;
}
