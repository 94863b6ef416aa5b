import type { RowSet } from '@trestle/driver-kit';

/** Three decimal places. A number that would round to zero keeps two significant digits. */
export function measureText(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  return value !== 0 && Math.abs(value) < 0.0005 ? value.toPrecision(2) : value.toFixed(3);
}

/** The length of the bar beside a score or distance, 0 to 1. A longer bar means a nearer row. */
export type BarLength = (value: number | null) => number;

const shortest = 0.1;

/** The nearest value of a list has the full bar, the farthest the shortest one. */
export function barLengths(values: Iterable<unknown>, isDistance: boolean): BarLength {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const [nearest, farthest] = isDistance ? [low, high] : [high, low];
  return (value) => {
    if (value === null || !Number.isFinite(value)) return 0;
    if (nearest === farthest) return 1;
    const nearness = (farthest - value) / (farthest - nearest);
    return shortest + (1 - shortest) * Math.max(0, Math.min(1, nearness));
  };
}

const ofColumns = new WeakMap<RowSet, Map<number, BarLength>>();

/** The bars of a column, on the scale of its page. */
export function barLengthsOf(rows: RowSet, column: number): BarLength {
  const known = ofColumns.get(rows) ?? new Map<number, BarLength>();
  ofColumns.set(rows, known);
  const before = known.get(column);
  if (before) return before;
  const values = rows.values[column];
  const lengths = barLengths(
    values?.kind === 'cells' ? values.cells : [],
    rows.columns[column]?.isDistance === true,
  );
  known.set(column, lengths);
  return lengths;
}
