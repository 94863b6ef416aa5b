import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BrowseRequest, CountRequest, Page, SearchRequest } from '@trestle/driver-kit';
import { useRef } from 'react';
import { api, data } from '../data/api/api.ts';
import { queryKeys } from '../data/queries/query-keys.ts';
import type { TableSearch } from '../panels/search-bar/index.ts';

/** A page with the request that it answers, which may not be the current request. */
export interface ShownPage {
  page: Page;
  request: BrowseRequest;
  search: TableSearch | null;
  /** When the page was requested, as `performance.now()`. The page may lack the values of a save that ended later. */
  askedAt: number;
}

/**
 * The requested page, or the last page that loaded. Rows stay visible while other rows load and when loading is
 * cancelled. When loading fails, old rows stay only if they answer the same filters and search. Otherwise they would
 * look like the answer to the failed request. Rows of another partition are never shown.
 */
export function usePage(
  connectionId: string,
  request: BrowseRequest,
  search: TableSearch | null,
  enabled: boolean,
) {
  const client = useQueryClient();
  const queryKey = queryKeys.rows(connectionId, request.table, 'page', request, search);
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<ShownPage> => ({
      askedAt: performance.now(),
      page: search
        ? await data('search', connectionId, searchRequest(request, search), signal)
        : await data('browse', connectionId, request, signal),
      request,
      search,
    }),
    // Comparing a page of vectors with the previous one costs more than drawing it.
    structuralSharing: false,
    gcTime: 60_000,
    enabled,
  });
  const last = useRef<ShownPage | null>(null);
  if (query.data) last.current = query.data;
  const answers = last.current !== null && isSameQuestion(last.current, { request, search });
  if (query.error && !answers) last.current = null;
  const shown = last.current?.request.partition === request.partition ? last.current : null;
  return {
    shown: shown as ShownPage | null,
    /** The rows shown answer other filters or another search than the current request. */
    isStale: shown !== null && !answers,
    error: query.error,
    isFetching: query.isFetching,
    /** The request was cancelled before its page loaded. */
    isCancelled: enabled && query.isPending && !query.isFetching,
    cancel: () => client.cancelQueries({ queryKey }),
    reload: () => client.invalidateQueries({ queryKey: queryKeys.rows(connectionId, request.table) }),
  };
}

type Question = Pick<ShownPage, 'request' | 'search'>;

/** Page and sort may differ: the rows are still from the same result. */
function isSameQuestion(one: Question, other: Question): boolean {
  const question = ({ request: { partition, filters, match }, search }: Question) =>
    JSON.stringify([partition, filters, filters.length > 1 ? match : null, search]);
  return question(one) === question(other);
}

/** A search has its own order and no pages: it returns the best rows, one page of them. */
export function searchRequest(
  { sort: _, offset: __, ...request }: BrowseRequest,
  search: TableSearch,
): SearchRequest {
  return { ...request, ...search };
}

export function useCount(connectionId: string, request: BrowseRequest, enabled: boolean) {
  return useQuery({ ...countQuery(connectionId, request), enabled });
}

/** Counts all rows now, even if no tab shows the count. */
export async function countNow(
  client: QueryClient,
  connectionId: string,
  of: Pick<CountRequest, 'table' | 'partition'>,
): Promise<void> {
  const query = countQuery(connectionId, { ...of, filters: [], match: 'all' });
  await client.fetchQuery({ ...query, staleTime: 0 });
}

function countQuery(connectionId: string, { table, partition, filters, match }: CountRequest) {
  const request = { table, ...(partition !== undefined && { partition }), filters, match };
  return queryOptions({
    queryKey: queryKeys.rows(connectionId, table, 'count', request),
    queryFn: ({ signal }) => api.tables.count.query({ connectionId, request }, { signal }),
  });
}

export function usePartitions(connectionId: string, table: string, enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.rows(connectionId, table, 'partitions'),
    queryFn: ({ signal }) => api.tables.partitions.query({ connectionId, table }, { signal }),
    enabled,
  });
}

export type Partitions = ReturnType<typeof usePartitions>;
