import type { QueryClient } from '@tanstack/react-query';

/**
 * Refreshes the counts of a table that are shown by disabled queries only, as in the sidebar. The library does not
 * repeat a disabled query by itself, so an old number would stay there.
 */
export async function countAgain(client: QueryClient, connectionId: string, table: string): Promise<void> {
  const counts = client.getQueryCache().findAll({
    queryKey: ['rows', connectionId, table, 'count'],
    predicate: (query) => query.isDisabled() && query.state.data !== undefined,
  });
  // If a count fails, the known one stays.
  await Promise.all(counts.map((query) => query.fetch().catch(() => {})));
}
