import type { BrowseRequest, Partition, TableDescription } from '@trestle/driver-kit';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { toApiError } from '../data/api/api.ts';
import { entriesOf, storedEntries } from '../panels/filter-bar/index.ts';
import type { TableStore } from './table-store.ts';
import { useCount, usePage } from './use-page.ts';

/** The rows that the tab requests and the rows that it shows, which may differ. */
export function useTableView(options: {
  connectionId: string;
  description: TableDescription;
  store: TableStore;
  /** All partitions of a partitioned table; undefined until the list has loaded, and for other tables. */
  partitions: Partition[] | undefined;
  canSearch: boolean;
}) {
  const { connectionId, description, store, partitions, canSearch } = options;
  const asked = useStore(
    store,
    useShallow(({ partition, filters, match, sort, pageSize, offset, search }) => {
      // A stored search is ignored if the table or the session no longer supports searches.
      const known = description.searches && canSearch ? search : null;
      return { partition, filters, match, sort, pageSize, offset, search: known };
    }),
  );
  const request = useMemo((): BrowseRequest => {
    const { partition, pageSize, search, sort, offset, filters, match } = asked;
    return {
      table: description.name,
      ...(partition !== undefined && { partition }),
      filters,
      match,
      ...(search ? { sort: [], offset: 0 } : { sort, offset }),
      limit: pageSize,
    };
  }, [description.name, asked]);
  const chosen = partitions?.find(({ name }) => name === asked.partition);
  // Until the list of partitions has loaded, a reopened tab reads its last partition.
  const isReadable = partitions === undefined || (chosen !== undefined && !chosen.unavailable);
  const ready = !description.partitioned || (asked.partition !== undefined && isReadable);
  const page = usePage(connectionId, request, asked.search, ready);
  const { shown, error } = page;
  const counting = useCount(connectionId, request, ready && !asked.search);
  // The count belongs to the rows that are shown, which may not be the requested ones.
  const count = useCount(connectionId, shown?.request ?? request, false);

  return {
    ...page,
    asked,
    /** The requested page. A search takes its table, partition, filters and limit from it. */
    request,
    search: asked.search,
    ready,
    total: count.data,
    counting: counting.isFetching,
    /** The likely cause of the error. It decides where the error is shown. */
    fault: error === null ? null : faultOf(toApiError(error).code, asked),
    /**
     * Cancels the request and restores the filters, search and page of the rows that are shown: the bars must not
     * describe a page that never loaded.
     */
    async cancelLoading() {
      await page.cancel();
      if (!shown) return;
      const { filters, match, sort, limit, offset } = shown.request;
      const place = shown.search ? {} : { sort, offset };
      // A filter that never took effect is kept, switched off.
      const { filters: asked, filtersOff: off } = store.getState();
      const entries = entriesOf(asked, off).map(({ filter }) => ({
        filter,
        off: !filters.some((other) => JSON.stringify(other) === JSON.stringify(filter)),
      }));
      const { filtersOff } = storedEntries(entries);
      store.setState({ filters, filtersOff, match, pageSize: limit, search: shown.search, ...place });
    },
  };
}

export type TableView = ReturnType<typeof useTableView>;

function faultOf(
  code: string,
  { filters, search }: { filters: unknown[]; search: unknown },
): 'filters' | 'search' | 'depth' | 'other' {
  if (code === 'paging_limit') return 'depth';
  if (code === 'filter_unrunnable' && filters.length > 0) return 'filters';
  if (search) return 'search';
  return code === 'invalid_argument' && filters.length > 0 ? 'filters' : 'other';
}
