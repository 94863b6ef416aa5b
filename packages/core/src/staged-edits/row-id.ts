import { type Cell, cellAt, cellToText, type RowKey, type RowSet } from '@trestle/driver-kit';

/** A stable text for a row: the same key always gives the same text. The number 1 and the text '1' differ. */
export function rowId(key: RowKey): string {
  return Object.keys(key)
    .sort()
    .map((column) => `${column}=${cellId(key[column] ?? null)}`)
    .join('&');
}

/** The key of each row of a page; null if the table has no key, the page lacks a key column, or a key cell is NULL. */
export function rowKeys(rows: RowSet, keyColumns: string[]): (RowKey | null)[] {
  const indices = keyColumns.map((name) => rows.columns.findIndex((column) => column.name === name));
  const usable = indices.length > 0 && indices.every((index) => index >= 0);
  return Array.from({ length: rows.rowCount }, (_, row) => {
    if (!usable) return null;
    const cells = indices.map((index) => cellAt(rows, index, row));
    if (cells.some((cell) => cell === null)) return null;
    return Object.fromEntries(keyColumns.map((name, index) => [name, cells[index] ?? null]));
  });
}

function cellId(cell: Cell): string {
  if (cell instanceof Uint8Array) return `b:${cellToText(cell)}`;
  if (typeof cell === 'bigint') return `i:${cell}`;
  return JSON.stringify(cell);
}
