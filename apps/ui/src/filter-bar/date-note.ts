import { type ColumnDescription, type FilterOperator, isPlainDate, parseCell } from '@trestle/driver-kit';
import type { FilterDraft } from './filter-draft.ts';

/**
 * The instants that the plain dates of a filter stand for. Undefined if the column is not a date, the filter has no
 * plain date, a range lacks a bound, or the operator is neither `between` nor listed below.
 */
export function dateNote(
  { operator, value, upper }: FilterDraft,
  column: Pick<ColumnDescription, 'type'> | undefined,
): string | undefined {
  if (column?.type !== 'date') return undefined;
  const low = midnightOf(value);
  const high = midnightOf(upper);
  if (operator === 'between') {
    if ((!low && !high) || value.trim() === '' || upper.trim() === '') return undefined;
    return `from ${low ?? value} to ${high ?? upper}, both included`;
  }
  if (!low) return undefined;
  return wholeDays[operator]?.(low) ?? moments[operator]?.(low);
}

type Words = Partial<Record<FilterOperator, (midnight: string) => string>>;

/** For these operators a plain date means the whole day. For `between` and `moments` it means midnight, UTC. */
const wholeDays: Words = {
  equals: (from) => `the whole day, ${from} to before ${nextMidnight(from)}`,
  not_equals: (from) => `outside the day ${from} to before ${nextMidnight(from)}`,
};

const moments: Words = {
  greater_than: (at) => `after ${at}, midnight UTC`,
  greater_or_equal: (at) => `from ${at}, midnight UTC`,
  less_than: (at) => `before ${at}, midnight UTC`,
  less_or_equal: (at) => `up to ${at}, midnight UTC`,
};

function midnightOf(text: string): string | undefined {
  const plain = text.trim();
  if (!isPlainDate(plain)) return undefined;
  const parsed = parseCell(plain, 'date');
  return parsed.ok ? String(parsed.cell) : undefined;
}

function nextMidnight(midnight: string): string {
  return `${new Date(Date.parse(midnight) + 24 * 60 * 60_000).toISOString().slice(0, 19)}Z`;
}
