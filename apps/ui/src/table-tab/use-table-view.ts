import type { BrowseRequest, Partition, TableDescription } from '@trestle/driver-kit';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { entriesOf, storedEntries } from '../filter-bar/index.ts';
import { toApiError } from '../shared/api.ts';
import type { TableStore } from './table-store.ts';
import { useCount, usePage } from './use-page.ts';

/** The rows the tab asks for and the rows it shows, which are not always the same. */
export function useTableView(options: {
  connectionId: string;
  description: TableDescription;
  store: TableStore;
  /** Where rows are kept by partition: those that can be read; undefined before the list came. */
  partitions: Partition[] | undefined;
}) {
  const { connectionId, description, store, partitions } = options;
  const asked = useStore(
    store,
    useShallow(({ partition, filters, match, sort, pageSize, offset, search }) => {
      // A search that was remembered means nothing where the table no longer has any.
      const known = description.searches ? search : null;
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
  // Before the list came, a tab that is opened again reads the partition it had.
  const isReadable = partitions === undefined || (chosen !== undefined && !chosen.unavailable);
  const ready = !description.partitioned || (asked.partition !== undefined && isReadable);
  const page = usePage(connectionId, request, asked.search, ready);
  const { shown, error } = page;
  const counting = useCount(connectionId, request, ready && !asked.search);
  // The number beside the rows belongs to the rows shown, which may not be the ones asked for.
  const count = useCount(connectionId, shown?.request ?? request, false);

  return {
    ...page,
    asked,
    /** The page or search that is asked for now. */
    request,
    search: asked.search,
    ready,
    total: count.data,
    counting: counting.isFetching,
    /** Whose fault the error is: it is shown where it can be mended. */
    fault: error === null ? null : faultOf(toApiError(error).code, asked),
    /** Back to what is shown: a page that never came must not be what the bars talk about. */
    async cancelLoading() {
      await page.cancel();
      if (!shown) return;
      const { filters, match, sort, limit, offset } = shown.request;
      const place = shown.search ? {} : { sort, offset };
      // A filter that did not come to be in force is kept, switched off.
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
