import { useStore } from 'zustand';
import { FilterBar } from '../filter-bar/index.ts';
import { SearchBar } from '../search-bar/index.ts';
import { Button } from '../shared/button.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { SearchNote } from './search-note.tsx';
import type { TableActions } from './table-actions.ts';
import styles from './table-tab.module.css';
import type { Table } from './use-table.ts';

/** Above the rows: the search, the filters, and what went wrong, each where it can be mended. */
export function TableBars({ table, actions }: { table: Table; actions: TableActions }) {
  const { props, view, search, grid, filterBar, searchBar, onExport } = table;
  const { store, description } = props;
  const { asked, shown, error, fault, reload } = view;
  const barOpen = useStore(store, (state) => state.filterBarOpen);
  const otherError = fault !== 'filters' && fault !== 'search' ? error : null;
  return (
    <>
      {search && (
        <SearchBar
          ref={searchBar}
          support={search.support}
          draft={search.draft}
          searched={asked.search}
          error={fault === 'search' ? error : null}
          onDraft={search.setDraft}
          onSearch={search.run}
          onClear={search.clear}
          onLeave={() => grid.current?.focus()}
        />
      )}
      {barOpen && (
        <FilterBar
          ref={filterBar}
          columns={description.columns.filter(({ hidden }) => !hidden)}
          filters={asked.filters}
          match={asked.match}
          applied={shown?.request ?? { filters: [], match: 'all' }}
          suggested={() => table.activeColumn.current}
          error={fault === 'filters' ? error : null}
          onApply={(filters, match) => store.setState({ filters, match, offset: 0 })}
          onClose={actions.closeFilters}
        />
      )}
      {shown?.search && (
        <SearchNote
          search={shown.search}
          filterCount={shown.request.filters.length}
          onClear={() => search?.clear()}
        />
      )}
      {otherError && shown && (
        <ErrorNote error={otherError} className={styles.note}>
          {fault === 'depth' && onExport ? (
            <Button size="small" onClick={onExport}>
              Export…
            </Button>
          ) : (
            <Button size="small" onClick={reload}>
              Retry
            </Button>
          )}
        </ErrorNote>
      )}
    </>
  );
}
