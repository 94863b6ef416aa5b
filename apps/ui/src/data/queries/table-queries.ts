import { useQuery } from '@tanstack/react-query';
import type { TableDescription } from '@trestle/driver-kit';
import { api } from '../api/api.ts';
import type { TableSummary } from '../api/api-types.ts';
import { queryKeys } from './query-keys.ts';

interface Options {
  enabled?: boolean;
  /** Runs the request when its turn comes. Defaults to: at once. */
  queue?: <T>(signal: AbortSignal, request: () => Promise<T>) => Promise<T>;
}

export function useDescription(
  connectionId: string,
  table: string,
  { enabled = true, queue = (_, request) => request() }: Options = {},
) {
  return useQuery({
    enabled,
    queryKey: queryKeys.describe(connectionId, table),
    queryFn: ({ signal }): Promise<TableDescription> =>
      queue(signal, () => api.tables.describe.query({ connectionId, table }, { signal })),
  });
}

/** Counts all rows of a table. Does not count the rows of a partitioned table. */
export function useTableCount(
  connectionId: string,
  { name: table, partitioned }: TableSummary,
  { enabled = true, queue = (_, send) => send() }: Options = {},
) {
  const request = { table, filters: [], match: 'all' as const };
  return useQuery({
    queryKey: queryKeys.rows(connectionId, table, 'count', request),
    queryFn: ({ signal }) =>
      queue(signal, () => api.tables.count.query({ connectionId, request }, { signal })),
    enabled: enabled && !partitioned,
  });
}
