import type { ColumnDescription, TableDescription } from '@trestle/driver-kit';

/** Columns that a map can be drawn by: vectors, or values that the driver reads as vectors. */
export function vectorColumns(description: TableDescription): ColumnDescription[] {
  return description.columns.filter(({ type, vector }) => type === 'vector' || vector !== undefined);
}

/** Columns whose values say something about a row; neither keys nor what comes later. */
export function colourColumns(description: TableDescription): ColumnDescription[] {
  const types = ['text', 'int', 'number', 'boolean', 'date', 'json', 'any'];
  return description.columns.filter(
    ({ name, type, hidden, deferred, vector }) =>
      types.includes(type) && !hidden && !deferred && !vector && !description.key.includes(name),
  );
}
