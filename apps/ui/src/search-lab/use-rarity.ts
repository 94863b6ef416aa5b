import { useQueries } from '@tanstack/react-query';
import type { CountRequest } from '@trestle/driver-kit';
import { api } from '../shared/api.ts';
import { queryKeys } from '../shared/query-keys.ts';

/** How many rows have each word. A word whose rows cannot be counted, or are not counted yet, is missing. */
export function useRarity(connectionId: string, requests: Map<string, CountRequest>): Map<string, number> {
  const counts = useQueries({
    queries: Array.from(requests.values(), (request) => ({
      queryKey: queryKeys.rows(connectionId, request.table, 'count', request),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.tables.count.query({ connectionId, request }, { signal }),
    })),
  });
  return new Map(
    Array.from(requests.keys(), (term, at) => [term, counts[at]?.data] as const).filter(
      (entry): entry is [string, number] => entry[1] !== undefined,
    ),
  );
}
