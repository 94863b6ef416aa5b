import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';

/**
 * Reads changed data again. The answer to a read that is already running may be older than the change. TanStack Query
 * restarts a running read, except the first read of data and a read without an observer. This function cancels these
 * two kinds.
 */
export async function readAgain(client: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  // A cancelled query may no longer match the filters, so the queries are chosen first.
  const chosen = new Set(client.getQueryCache().findAll(filters));
  const isLeftAlone = (query: Query) => query.state.data === undefined || !query.isActive();
  await client.cancelQueries({ predicate: (query) => chosen.has(query) && isLeftAlone(query) });
  await client.invalidateQueries({ ...filters, predicate: (query) => chosen.has(query) });
}
