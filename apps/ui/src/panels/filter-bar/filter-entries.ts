import type { Filter } from '@trestle/driver-kit';

/** A filter of the bar. If it is switched off, it keeps its position and does not filter. */
export interface FilterEntry {
  filter: Filter;
  off: boolean;
}

/** A filter that is switched off, and its position in the list of all filters. */
export interface OffFilter {
  at: number;
  filter: Filter;
}

/**
 * All filters in order. An off filter that equals an active one is left out: for example, the grid's menu may have added
 * the same filter again.
 */
export function entriesOf(filters: Filter[], off: OffFilter[]): FilterEntry[] {
  const entries = filters.map((filter): FilterEntry => ({ filter, off: false }));
  for (const { at, filter } of [...off].sort((a, b) => a.at - b.at)) {
    if (filters.some((other) => isSame(other, filter))) continue;
    entries.splice(Math.min(at, entries.length), 0, { filter, off: true });
  }
  return entries;
}

/** The filters in the form in which a tab stores them. */
export function storedEntries(entries: FilterEntry[]): { filters: Filter[]; filtersOff: OffFilter[] } {
  return {
    filters: entries.flatMap(({ filter, off }) => (off ? [] : [filter])),
    filtersOff: entries.flatMap(({ filter, off }, at) => (off ? [{ at, filter }] : [])),
  };
}

function isSame(one: Filter, other: Filter): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
