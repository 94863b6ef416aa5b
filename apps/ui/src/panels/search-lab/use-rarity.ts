import { useQueries } from '@tanstack/react-query';
import type { CountRequest } from '@trestle/driver-kit';
import { api } from '../../data/api/api.ts';
import { queryKeys } from '../../data/queries/query-keys.ts';
import type { RarityRequests } from './why-terms.ts';

/** A count that failed, or that is not there yet, is missing. */
export interface Rarity {
  /** How many rows have each word. */
  rows: Map<string, number>;
  /** How many rows the table has. */
  all: number | undefined;
}

export function useRarity(connectionId: string, { words, all }: RarityRequests): Rarity {
  const requests = words.size > 0 ? [all, ...words.values()] : [];
  const [whole, ...counts] = useQueries({
    queries: requests.map((request: CountRequest) => ({
      queryKey: queryKeys.rows(connectionId, request.table, 'count', request),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.tables.count.query({ connectionId, request }, { signal }),
    })),
  });
  const rows = Array.from(words.keys(), (term, at) => [term, counts[at]?.data] as const);
  return {
    rows: new Map(rows.filter((entry): entry is [string, number] => entry[1] !== undefined)),
    all: whole?.data,
  };
}
