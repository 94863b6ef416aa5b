import type { RowKey } from '@trestle/driver-kit';
import { useEffect } from 'react';
import { create } from 'zustand';
import { keyFilters } from '../data/rows/key-filters.ts';
import type { TableStore } from './table-store.ts';

interface RowRequest {
  connectionId: string;
  table: string;
  key: RowKey;
  partition?: string;
}

const useRowRequest = create<{ request: RowRequest | null }>(() => ({ request: null }));

/** Asks the tab of a table to show one row. The tab may not exist yet. */
export function requestRow(request: RowRequest): void {
  useRowRequest.setState({ request });
}

/** Shows the requested row by filters on its key. The user sees these filters and can remove them. */
export function useRowRequests(at: {
  connectionId: string;
  table: string;
  store: TableStore;
  partitioned: boolean;
}): void {
  const { connectionId, table, store, partitioned } = at;
  const request = useRowRequest((state) => state.request);
  useEffect(() => {
    if (request?.connectionId !== connectionId || request.table !== table) return;
    useRowRequest.setState({ request: null });
    store.setState({
      filters: keyFilters([request.key]) ?? [],
      match: 'all',
      offset: 0,
      search: null,
      shows: 'rows',
      filtersOff: [],
      // The row is in the partition of the tab that requested it, unless its table has no partitions.
      ...(partitioned && request.partition !== undefined && { partition: request.partition }),
    });
  }, [request, connectionId, table, store, partitioned]);
}
