import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';

/**
 * Reads changed data again. The answer to a read that is already running may be older than the change. TanStack Query
 * restarts a running read, except the first read of data and a read without an observer. This function cancels these
 * two kinds.
 */
export async function readAgain(client: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  const isLeftAlone = (query: Query) => query.state.data === undefined || !query.isActive();
  await client.cancelQueries({
    ...filters,
    predicate: (query) => isLeftAlone(query) && (filters.predicate?.(query) ?? true),
  });
  await client.invalidateQueries(filters);
}
