import type { RowSet } from '@trestle/driver-kit';

/** These columns in this order. A driver gives the key with every row, whether it was asked for or not. */
export function onlyColumns(rows: RowSet, names: string[]): RowSet {
  const kept = names
    .map((name) => rows.columns.findIndex((column) => column.name === name))
    .filter((index) => index >= 0);
  return {
    rowCount: rows.rowCount,
    columns: kept.map((index) => rows.columns[index]!),
    values: kept.map((index) => rows.values[index]!),
  };
}
