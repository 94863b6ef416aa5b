import type { ColumnDescription, TableDescription } from '@trestle/driver-kit';

/** Columns that a map can use: vectors, or values that the driver reads as vectors. */
export function vectorColumns(description: TableDescription): ColumnDescription[] {
  return description.columns.filter(({ type, vector }) => type === 'vector' || vector !== undefined);
}

/** Columns with values that describe a row. Keys, vectors, hidden columns and columns that load late are left out. */
export function colourColumns(description: TableDescription): ColumnDescription[] {
  const types = ['text', 'int', 'number', 'boolean', 'date', 'json', 'any'];
  return description.columns.filter(
    ({ name, type, hidden, deferred, vector }) =>
      types.includes(type) && !hidden && !deferred && !vector && !description.key.includes(name),
  );
}
