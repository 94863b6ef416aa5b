import { type ColumnDescription, type FilterOperator, isPlainDate, parseCell } from '@trestle/driver-kit';
import type { FilterDraft } from './filter-draft.ts';

/**
 * A note with the instants that the plain dates of a filter stand for. Undefined in other cases, for example for a
 * range that lacks a bound.
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

type Words = Partial<Record<FilterOperator, (midnight: string) => string | undefined>>;

/** For these operators a plain date means the whole day. For `between` and `moments` it means midnight, UTC. */
const wholeDays: Words = {
  equals: (from) => dayWords('the whole day,', from),
  not_equals: (from) => dayWords('outside the day', from),
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

/** Undefined for the last day of the year 9999: the year of the next day has five digits. */
function dayWords(words: string, from: string): string | undefined {
  const next = new Date(Date.parse(from) + 24 * 60 * 60_000).toISOString();
  return next.startsWith('+') ? undefined : `${words} ${from} to before ${next.slice(0, 19)}Z`;
}
