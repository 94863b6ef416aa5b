import type { QueryClient } from '@tanstack/react-query';

/**
 * Reads counts of a table again if they are known and their queries are disabled, as in the sidebar. TanStack Query
 * does not repeat a disabled query by itself, so an old count would stay visible.
 */
export async function countAgain(client: QueryClient, connectionId: string, table: string): Promise<void> {
  const counts = client.getQueryCache().findAll({
    queryKey: ['rows', connectionId, table, 'count'],
    predicate: (query) => query.isDisabled() && query.state.data !== undefined,
  });
  // If a query fails, its known count stays.
  await Promise.all(counts.map((query) => query.fetch().catch(() => {})));
}
