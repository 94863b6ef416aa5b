import { Suspense } from 'react';
import { useStore } from 'zustand';
import { loadPart } from '../controls/loading/load-part.ts';
import { ErrorNote } from '../data/messages/error-note.tsx';
import { useOfferedCommands } from '../data/window/tab-commands.ts';
import { ExportStrip } from '../panels/export/index.ts';
import { StructureView } from '../panels/structure-view/index.ts';
import { saveRequests } from './save-request.ts';
import { tableActions } from './table-actions.ts';
import { tableCommands } from './table-commands.ts';
import { TableCompare } from './table-compare.tsx';
import { TableErrors } from './table-errors.tsx';
import { TableFoot } from './table-foot.tsx';
import { TableMap } from './table-map.tsx';
import { TableNeighbours } from './table-neighbours.tsx';
import { TablePartitions } from './table-partitions.tsx';
import { TableRows } from './table-rows.tsx';
import styles from './table-tab.module.css';
import { TableToolbar, viewsOf } from './table-toolbar.tsx';
import { useShortcuts } from './use-shortcuts.ts';
import { type DescribedTableProps, useTable } from './use-table.ts';
import { useViewRequests } from './view-requests.ts';

// The first page needs no dialog, so this part is loaded when a dialog first opens.
const TableDialogs = loadPart(async () => ({ default: (await import('./table-dialogs.tsx')).TableDialogs }));

/** The content of a table's tab, once the columns are known. */
export function DescribedTable(props: DescribedTableProps) {
  const table = useTable(props);
  const actions = tableActions(table);
  const saves = saveRequests(table);
  const { view, partitions } = table;
  const wanted = useStore(props.store, (state) => state.shows);
  const shows = viewsOf(table).find(({ value }) => value === wanted)?.value ?? 'rows';
  useViewRequests({
    connectionId: props.connectionId,
    table: props.table,
    show: (next) => props.store.setState({ shows: next }),
    onExport: table.onExport && (() => table.onExport?.()),
  });
  // A partitioned table shows no rows to find or inspect until a readable partition is chosen.
  const onRows = (act: () => void) => () => void (shows === 'rows' && view.ready && act());
  useShortcuts(props.active ?? true, {
    find: onRows(() => table.grid.current?.run('find')),
    filter: () => void (shows !== 'structure' && view.ready && actions.openFilters()),
    search: actions.goToSearch,
    inspector: onRows(actions.toggleInspector),
    structure: actions.toggleStructure,
    reload: view.reload,
    save: saves.save,
    undo: actions.undo,
    redo: actions.redo,
  });

  const commands = tableCommands(table, actions, saves, shows === 'rows' && view.ready);
  useOfferedCommands(props.active ?? true, props.table, commands);

  return (
    <>
      <TableToolbar table={table} actions={actions} shows={shows} />
      {partitions.error && <ErrorNote error={partitions.error} className={styles.note} />}
      {shows === 'structure' && (
        <StructureView
          connectionId={props.connectionId}
          table={props.table}
          comment={props.description.comment}
        />
      )}
      {shows !== 'structure' && !view.ready && <TablePartitions table={table} actions={actions} />}
      {shows === 'map' && view.ready && <TableMap table={table} />}
      {shows === 'compare' && view.ready && <TableCompare table={table} />}
      {shows === 'neighbours' && view.ready && <TableNeighbours table={table} />}
      {shows === 'rows' && view.ready && (
        <>
          <TableErrors table={table} />
          <TableRows table={table} actions={actions} />
        </>
      )}
      <TableFoot table={table} actions={actions} saves={saves} paging={shows === 'rows' && view.ready} />
      <ExportStrip exporting={table.exporting} />
      <Suspense>{table.dialog && <TableDialogs table={table} saves={saves} />}</Suspense>
    </>
  );
}
