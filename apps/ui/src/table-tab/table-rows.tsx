import { ProgressLine } from './loading.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';
import type { TableActions } from './table-actions.ts';
import { TableGrid } from './table-grid.tsx';
import type {
  DescribedTableProps,
  TableCursor,
  TableOffers,
  TablePlaces,
  TableRights,
  TableStaging,
} from './table-parts.ts';
import { NoPage, NoRows } from './table-states.tsx';
import styles from './table-tab.module.css';
import type { Columns } from './use-columns.ts';
import type { Search } from './use-search.ts';
import type { TableView } from './use-table-view.ts';

/** The rows, or why there are none. */
export function TableRows(props: {
  tab: DescribedTableProps;
  view: TableView;
  rights: TableRights;
  staging: TableStaging;
  columns: Columns;
  search: Search;
  places: TablePlaces;
  cursor: TableCursor;
  offers: TableOffers;
  actions: TableActions;
}) {
  const { view, rights, search, cursor, offers, actions } = props;
  const { staged, lines } = props.staging;
  const { connectionId, store, description, onOpenRow } = props.tab;
  const { shown, error, fault } = view;
  const clearSearch = search ? search.clear : null;
  return (
    <div className={styles.gridArea}>
      <ProgressLine active={view.isFetching} />
      {shown && (
        <TableGrid
          {...{ connectionId, description, store, shown, lines, staged }}
          columns={props.columns}
          refusal={view.isStale ? staleRefusal : rights.refusal}
          onInsert={actions.insert}
          onFindSimilar={search?.findSimilar}
          onOpenRow={
            rights.can('readReferences') && rights.can('findReferences')
              ? (name, key) => onOpenRow?.(name, key, view.asked.partition)
              : undefined
          }
          onShowRow={onOpenRow && ((name, key) => onOpenRow?.(name, key, view.asked.partition))}
          onColumn={(name) => {
            cursor.column.current = name;
          }}
          onFilter={(column) => props.places.filterBar.current?.open(column)}
          onSelect={(selected) => {
            cursor.selected.current = selected;
          }}
          onExportRows={
            offers.onExport && rights.can('readCells') ? () => offers.onExport?.('selection') : undefined
          }
          ref={props.places.grid}
        />
      )}
      {shown && lines.length === 0 && (
        <div className={styles.overEmpty}>
          <NoRows
            table={description.name}
            partition={shown.request.partition}
            filtered={shown.request.filters.length > 0}
            beyond={shown.request.offset > 0}
            insertRefusal={rights.insertRefusal}
            onClearSearch={shown.search ? clearSearch : null}
            onClearFilters={actions.clearFilters}
            onFirstPage={actions.firstPage}
            onInsert={actions.insert}
            onImport={offers.onImport}
          />
        </div>
      )}
      {!shown && view.isFetching && <SkeletonRows columns={props.columns.names.length} />}
      {!shown && !view.isFetching && (
        <NoPage
          error={error}
          cancelled={view.isCancelled}
          refused={fault === 'filters' || (fault === 'search' && search) ? fault : null}
          onClearFilters={actions.clearFilters}
          onClearSearch={() => search?.clear()}
          onFirstPage={fault === 'depth' ? actions.firstPage : null}
          onReload={view.reload}
        />
      )}
    </div>
  );
}

const staleRefusal = 'These rows are from before the filters or the search changed';
