import type { Cell, ColumnDescription, TableDescription } from '@trestle/driver-kit';
import { sameCell } from '../shared/same-cell.ts';

export interface Compared {
  column: ColumnDescription;
  a: Cell;
  b: Cell;
}

/**
 * The values that differ between two rows, and those that are the same. Keys are left out, since they always differ,
 * and so are hidden columns, vectors and columns that load later.
 */
export function differences(
  { columns, key }: Pick<TableDescription, 'columns' | 'key'>,
  a: Record<string, Cell>,
  b: Record<string, Cell>,
): { differing: Compared[]; same: Compared[] } {
  const compared = columns
    .filter(({ name, hidden, deferred, vector }) => !hidden && !deferred && !vector && !key.includes(name))
    .map((column) => ({ column, a: a[column.name] ?? null, b: b[column.name] ?? null }));
  return {
    differing: compared.filter((one) => !sameCell(one.a, one.b)),
    same: compared.filter((one) => sameCell(one.a, one.b)),
  };
}
