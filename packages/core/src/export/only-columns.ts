import type { RowSet } from '@trestle/driver-kit';

/** Keeps only these columns, in this order. A driver returns the key with every row, even if it was not requested. */
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
