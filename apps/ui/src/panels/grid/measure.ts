import type { RowSet } from '@trestle/driver-kit';

/** Three decimal places. A number that would round to zero keeps two significant digits. */
export function measureText(value: number): string {
  return value !== 0 && Math.abs(value) < 0.0005 ? value.toPrecision(2) : value.toFixed(3);
}

const scales = new WeakMap<RowSet, Map<number, number>>();

/** The value of a full bar: the largest value of the column on this page, at least 1. */
export function measureScale(rows: RowSet, column: number): number {
  const known = scales.get(rows) ?? new Map<number, number>();
  scales.set(rows, known);
  const before = known.get(column);
  if (before !== undefined) return before;
  const values = rows.values[column];
  let most = 1;
  if (values?.kind === 'cells') {
    for (const cell of values.cells)
      if (typeof cell === 'number' && Number.isFinite(cell)) most = Math.max(most, cell);
  }
  known.set(column, most);
  return most;
}
