import {
  type Cell,
  type ColumnDescription,
  ownValue,
  sameCell,
  type TableDescription,
} from '@trestle/driver-kit';

export interface Compared {
  column: ColumnDescription;
  a: Cell;
  b: Cell;
}

/**
 * The values that differ between two rows, and those that are the same. Key columns are left out, since no two rows
 * have the same key. Hidden columns, vectors and deferred columns are left out too.
 */
export function differences(
  { columns, key }: Pick<TableDescription, 'columns' | 'key'>,
  a: Record<string, Cell>,
  b: Record<string, Cell>,
): { differing: Compared[]; same: Compared[] } {
  const compared = columns
    .filter(({ name, hidden, deferred, vector }) => !hidden && !deferred && !vector && !key.includes(name))
    .map((column) => ({ column, a: ownValue(a, column.name) ?? null, b: ownValue(b, column.name) ?? null }));
  return {
    differing: compared.filter((one) => !sameCell(one.a, one.b)),
    same: compared.filter((one) => sameCell(one.a, one.b)),
  };
}
