import { Suspense, useCallback, useState } from 'react';
import { useStore } from 'zustand';
import { loadPart } from '../controls/loading/load-part.ts';
import { ErrorNote } from '../data/messages/error-note.tsx';
import { useOfferedCommands } from '../data/window/tab-commands.ts';
import { ExportStrip } from '../panels/export/index.ts';
import { StructureView } from '../panels/structure-view/index.ts';
import { useRowRequests } from './row-requests.ts';
import { saveRequests } from './save-request.ts';
import { tableActions } from './table-actions.ts';
import { tableCommands } from './table-commands.ts';
import { TableCompare } from './table-compare.tsx';
import { TableErrors } from './table-errors.tsx';
import { TableFoot } from './table-foot.tsx';
import { TableMap } from './table-map.tsx';
import { TableNeighbours } from './table-neighbours.tsx';
import { TablePartitions } from './table-partitions.tsx';
import {
  type DescribedTableProps,
  type TableDialog,
  tableOffers,
  tableRights,
  useCursor,
  usePlaces,
  useStaging,
} from './table-parts.ts';
import { TableRows } from './table-rows.tsx';
import styles from './table-tab.module.css';
import { TableToolbar, viewsOf } from './table-toolbar.tsx';
import { useColumns } from './use-columns.ts';
import { usePartitions } from './use-page.ts';
import { useSearch } from './use-search.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { useTableExport } from './use-table-export.ts';
import { useTableView } from './use-table-view.ts';
import { useViewRequests } from './view-requests.ts';

// The first page needs no dialog, so this part is loaded when a dialog first opens.
const TableDialogs = loadPart(async () => ({ default: (await import('./table-dialogs.tsx')).TableDialogs }));

/** The content of a table's tab, once the columns are known. */
export function DescribedTable(tab: DescribedTableProps) {
  const { connectionId, table, store, description } = tab;
  const isPartitioned = description.partitioned === true;
  useRowRequests({ connectionId, table, store, partitioned: isPartitioned });
  const partitions = usePartitions(connectionId, table, isPartitioned);
  const canSearch = tab.capabilities?.includes('search') ?? true;
  const view = useTableView({ connectionId, description, store, partitions: partitions.data, canSearch });
  const { partition } = view.asked;
  const rights = tableRights(tab, view.ready);
  const staging = useStaging(tab, view);
  const [dialog, show] = useState<TableDialog | null>(null);
  const onChoose = useCallback(() => show({ kind: 'columns' }), []);
  const onSummarise = useCallback((column: string) => show({ kind: 'summary', column }), []);
  const columns = useColumns({
    connectionId,
    description,
    widths: tab.persisted?.widths,
    onChoose,
    onSummarise: rights.can('aggregate') && view.ready ? onSummarise : undefined,
  });
  const places = usePlaces();
  const cursor = useCursor();
  const [lead, setLead] = useState<HTMLElement | null>(null);
  const [tail, setTail] = useState<HTMLElement | null>(null);
  const bar = { lead, tail };
  const search = useSearch(description, store, view, canSearch);
  const exporting = useTableExport(connectionId, store, table);
  const offers = tableOffers({ tab, rights, view, show });
  const actions = tableActions({ tab, view, rights, staging, places });
  const saves = saveRequests({ tab, partition, rights, staging, places, show });
  const wanted = useStore(store, (state) => state.shows);
  const shows = viewsOf(description, rights.can).find(({ value }) => value === wanted)?.value ?? 'rows';
  const onRows = shows === 'rows' && view.ready;
  const onExport = offers.onExport && (() => offers.onExport?.());
  useViewRequests({
    connectionId,
    table,
    show: (next) => store.setState({ shows: next }),
    onExport,
  });
  // A partitioned table shows no rows to find or inspect until a readable partition is chosen.
  const ifRows = (act: () => void) => () => void (onRows && act());
  useShortcuts(tab.active ?? true, {
    find: ifRows(() => places.grid.current?.run('find')),
    filter: () => void (shows !== 'structure' && view.ready && actions.openFilters()),
    search: actions.goToSearch,
    inspector: ifRows(actions.toggleInspector),
    structure: actions.toggleStructure,
    reload: view.reload,
    save: saves.save,
    undo: actions.undo,
    redo: actions.redo,
  });
  const commands = tableCommands({
    tab,
    view,
    rights,
    staging,
    columns,
    search,
    places,
    offers,
    actions,
    saves,
    onRows,
  });
  useOfferedCommands(tab.active ?? true, table, commands);

  return (
    <>
      <TableToolbar
        {...{ tab, view, partitions, rights, search, places, cursor, offers, actions, shows }}
        bar={{ setLead, setTail }}
      />
      {partitions.error && <ErrorNote error={partitions.error} className={styles.note} />}
      {shows === 'structure' && (
        <StructureView connectionId={connectionId} table={table} comment={description.comment} />
      )}
      {shows !== 'structure' && !view.ready && (
        <TablePartitions {...{ tab, partition, partitions, rights, actions }} />
      )}
      {shows === 'map' && view.ready && <TableMap {...{ tab, partition, rights, bar, places, exporting }} />}
      {shows === 'compare' && view.ready && <TableCompare {...{ tab, partition, rights, bar, places }} />}
      {shows === 'neighbours' && view.ready && (
        <TableNeighbours {...{ tab, partition, rights, bar }} staged={staging.staged} />
      )}
      {onRows && (
        <>
          <TableErrors view={view} hasSearchBox={search !== null} onExport={onExport} />
          <TableRows {...{ tab, view, rights, staging, columns, search, places, cursor, offers, actions }} />
        </>
      )}
      <TableFoot {...{ tab, view, rights, staging, search, places, actions, saves }} paging={onRows} />
      <ExportStrip exporting={exporting} />
      <Suspense>
        {dialog && (
          <TableDialogs
            {...{ dialog, tab, view, rights, columns, cursor, exporting, saves }}
            lines={staging.lines}
            onClose={() => show(null)}
          />
        )}
      </Suspense>
    </>
  );
}
