import { useQuery } from '@tanstack/react-query';
import type { TableDescription } from '@trestle/driver-kit';
import { api } from './api.ts';
import type { TableSummary } from './api-types.ts';
import { queryKeys } from './query-keys.ts';

export function useDescription(connectionId: string, table: string, { enabled = true } = {}) {
  return useQuery({
    enabled,
    queryKey: queryKeys.describe(connectionId, table),
    queryFn: ({ signal }): Promise<TableDescription> =>
      api.tables.describe.query({ connectionId, table }, { signal }),
  });
}

/** Counts all rows of a table. Does not count the rows of a partitioned table. */
export function useTableCount(
  connectionId: string,
  { name: table, partitioned }: TableSummary,
  { enabled = true } = {},
) {
  const request = { table, filters: [], match: 'all' as const };
  return useQuery({
    queryKey: queryKeys.rows(connectionId, table, 'count', request),
    queryFn: ({ signal }) => api.tables.count.query({ connectionId, request }, { signal }),
    enabled: enabled && !partitioned,
  });
}
