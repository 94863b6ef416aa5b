import type { ColumnDescription, TableDescription } from '@trestle/driver-kit';

/**
 * Columns that a map can use: vectors, or values that the driver reads as vectors. Empty for a table without a key: the
 * map could not tell which row a point is.
 */
export function vectorColumns(description: TableDescription): ColumnDescription[] {
  if (description.key.length === 0) return [];
  return description.columns.filter(({ type, vector }) => type === 'vector' || vector !== undefined);
}

/**
 * Columns with values that describe a row. Keys, vectors, UUIDs, bytes, hidden columns and columns that load late are
 * left out.
 */
export function colourColumns(description: TableDescription): ColumnDescription[] {
  const types = ['text', 'int', 'number', 'boolean', 'date', 'json', 'any'];
  return description.columns.filter(
    ({ name, type, hidden, deferred, vector }) =>
      types.includes(type) && !hidden && !deferred && !vector && !description.key.includes(name),
  );
}

/** The chosen column. The first column if none is chosen, or if the chosen column was dropped. */
export function vectorOf(vectors: ColumnDescription[], chosen: string): ColumnDescription | undefined {
  return vectors.find(({ name }) => name === chosen) ?? vectors[0];
}
