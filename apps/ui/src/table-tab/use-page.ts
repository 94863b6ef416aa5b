import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BrowseRequest, Page, SearchRequest } from '@trestle/driver-kit';
import { useRef } from 'react';
import type { TableSearch } from '../search-bar/index.ts';
import { api, data } from '../shared/api.ts';
import { queryKeys } from '../shared/query-keys.ts';

/** A page together with the request it answers, which need not be the one now asked. */
export interface ShownPage {
  page: Page;
  request: BrowseRequest;
  search: TableSearch | null;
  /** When it was asked for, as `performance.now()`: a save that ended later is not in it. */
  askedAt: number;
}

/**
 * The page asked for, and the last one that came: rows stay in view while others load, when loading fails
 * and when it is cancelled.
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
    // Comparing a page of vectors with the one before costs more than drawing it.
    structuralSharing: false,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    enabled,
  });
  const last = useRef<ShownPage | null>(null);
  if (query.data) last.current = query.data;
  const shown = last.current?.request.partition === request.partition ? last.current : null;
  return {
    shown: shown as ShownPage | null,
    error: query.error,
    isFetching: query.isFetching,
    /** Asked for and given up before it came. */
    isCancelled: enabled && query.isPending && !query.isFetching,
    cancel: () => client.cancelQueries({ queryKey }),
    reload: () => client.invalidateQueries({ queryKey: queryKeys.rows(connectionId, request.table) }),
  };
}

/** A search has its own order and no pages: the best rows that fit one. */
function searchRequest(
  { sort: _, offset: __, ...request }: BrowseRequest,
  search: TableSearch,
): SearchRequest {
  return { ...request, ...search };
}

export function useCount(connectionId: string, request: BrowseRequest, enabled: boolean) {
  const { table, partition, filters, match } = request;
  const counted = { table, ...(partition !== undefined && { partition }), filters, match };
  return useQuery({
    queryKey: queryKeys.rows(connectionId, table, 'count', counted),
    queryFn: ({ signal }) => api.tables.count.query({ connectionId, request: counted }, { signal }),
    enabled,
  });
}

export function usePartitions(connectionId: string, table: string, enabled: boolean) {
  return useQuery({
    queryKey: queryKeys.rows(connectionId, table, 'partitions'),
    queryFn: ({ signal }) => api.tables.partitions.query({ connectionId, table }, { signal }),
    enabled,
  });
}
