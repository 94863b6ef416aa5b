import type { InvalidateQueryFilters, Query, QueryClient } from '@tanstack/react-query';

/**
 * Reads what changed again. A read under way is begun anew, since the app may have answered it before the change:
 * the library does that by itself, except where it is the first one or where nobody looks at it yet.
 */
export async function readAgain(client: QueryClient, filters: InvalidateQueryFilters = {}): Promise<void> {
  const isLeftAlone = (query: Query) => query.state.data === undefined || !query.isActive();
  await client.cancelQueries({
    ...filters,
    predicate: (query) => isLeftAlone(query) && (filters.predicate?.(query) ?? true),
  });
  await client.invalidateQueries(filters);
}
