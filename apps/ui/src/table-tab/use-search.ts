import { cellToText, type RowKey, type TableDescription } from '@trestle/driver-kit';
import { useStore } from 'zustand';
import { newSearchDraft, searchNear, searchRefusal, type TableSearch } from '../panels/search-bar/index.ts';
import type { TableStore } from './table-store.ts';
import type { TableView } from './use-table-view.ts';

export type Search = ReturnType<typeof useSearch>;

/**
 * The search of a tab: the content of the search box, and the functions that run and clear the search. Null if the
 * table or the session supports no search.
 */
export function useSearch(
  description: TableDescription,
  store: TableStore,
  view: TableView,
  canSearch: boolean,
) {
  const written = useStore(store, (state) => state.searchDraft);
  const { searches } = description;
  if (!searches || !canSearch) return null;
  const draft = written ?? newSearchDraft(searches);
  const run = (search: TableSearch) => {
    const same = JSON.stringify(store.getState().search) === JSON.stringify(search);
    if (same) view.reload();
    else store.setState({ search, scroll: { top: 0, left: 0 } });
  };
  const comparable = searchRefusal(searches, 'near_object') === undefined && description.key.length === 1;
  return {
    support: searches,
    draft,
    run,
    setDraft: (next: typeof draft) => store.setState({ searchDraft: next }),
    clear: () => store.setState({ search: null }),
    /** Undefined if the table has no search near a row, or its key is not one column. */
    findSimilar: comparable
      ? (key: RowKey) => run(searchNear(cellToText(key[description.key[0] ?? ''] ?? null), draft, searches))
      : undefined,
  };
}
