import { ProgressLine } from './loading.tsx';
import { SkeletonRows } from './skeleton-rows.tsx';
import type { TableActions } from './table-actions.ts';
import { TableGrid } from './table-grid.tsx';
import { NoPage, NoRows } from './table-states.tsx';
import styles from './table-tab.module.css';
import type { Table } from './use-table.ts';

/** The rows, or why there are none. */
export function TableRows({ table, actions }: { table: Table; actions: TableActions }) {
  const { props, view, staged, search, lines, grid } = table;
  const { connectionId, store, description } = props;
  const { shown, error, fault } = view;
  const clearSearch = search ? search.clear : null;
  return (
    <div className={styles.gridArea}>
      <ProgressLine active={view.isFetching} />
      {shown && (
        <TableGrid
          {...{ connectionId, description, store, shown, lines, staged }}
          columns={table.columns}
          refusal={view.isStale ? staleRefusal : table.refusal}
          onInsert={actions.insert}
          onFindSimilar={search?.findSimilar}
          onOpenRow={
            table.can('readReferences') && table.can('findReferences')
              ? (name, key) => props.onOpenRow?.(name, key, view.asked.partition)
              : undefined
          }
          onShowRow={props.onOpenRow && ((name, key) => props.onOpenRow?.(name, key, view.asked.partition))}
          onColumn={(name) => {
            table.activeColumn.current = name;
          }}
          onSelect={(selected) => {
            table.selected.current = selected;
          }}
          onExportRows={
            table.onExport && table.can('readCells') ? () => table.onExport?.('selection') : undefined
          }
          ref={grid}
        />
      )}
      {shown && lines.length === 0 && (
        <div className={styles.overEmpty}>
          <NoRows
            table={description.name}
            partition={shown.request.partition}
            filtered={shown.request.filters.length > 0}
            beyond={shown.request.offset > 0}
            insertRefusal={table.insertRefusal}
            onClearSearch={shown.search ? clearSearch : null}
            onClearFilters={actions.clearFilters}
            onFirstPage={actions.firstPage}
            onInsert={actions.insert}
            onImport={table.onImport}
          />
        </div>
      )}
      {!shown && view.isFetching && <SkeletonRows columns={table.columns.names.length} />}
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
