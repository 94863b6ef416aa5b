import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';

/**
 * Reads changed data again. A running read is restarted, since the app may have answered it before the
 * change. The library restarts it by itself, except for the first read and for data without an observer.
 */
export async function readAgain(client: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  const isLeftAlone = (query: Query) => query.state.data === undefined || !query.isActive();
  await client.cancelQueries({
    ...filters,
    predicate: (query) => isLeftAlone(query) && (filters.predicate?.(query) ?? true),
  });
  await client.invalidateQueries(filters);
}
