import type { Capability, ChangeSet, TableDescription } from '@trestle/driver-kit';
import { useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { ExportDialog, ExportStrip } from '../export/index.ts';
import { FilterBar, type FilterBarHandle } from '../filter-bar/index.ts';
import type { DataGridHandle } from '../grid/index.ts';
import { SearchBar, type SearchBarHandle } from '../search-bar/index.ts';
import { Button } from '../shared/button.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { shortcutText } from '../shared/kbd.tsx';
import { showToast } from '../shared/toast.tsx';
import { ChangesDialog } from './changes-dialog.tsx';
import { LoadingNote, ProgressLine } from './loading.tsx';
import { offsetForSize } from './paging.ts';
import { PagingBar } from './paging-bar.tsx';
import { PartitionPicker, type PartitionPickerHandle } from './partition-picker.tsx';
import { rowKeys } from './row-id.ts';
import { SearchNote } from './search-note.tsx';
import { StagedBar } from './staged-bar.tsx';
import { changeSet } from './staged-edits.ts';
import { stagedStore } from './staged-store.ts';
import { TableGrid } from './table-grid.tsx';
import { elsewhere, pageLines, stagedLines } from './table-lines.ts';
import { NoPage, NoRows } from './table-states.tsx';
import type { TableStore } from './table-store.ts';
import styles from './table-tab.module.css';
import { TableToolbar } from './table-toolbar.tsx';
import type { TableTabProps } from './types.ts';
import { usePartitions } from './use-page.ts';
import { useSave } from './use-save.ts';
import { useSearch } from './use-search.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { tableRefusal, useStaged } from './use-staged.ts';
import { useTableExport } from './use-table-export.ts';
import { useTableView } from './use-table-view.ts';

/** The tab once the table's columns are known. */
export function DescribedTable(props: TableTabProps & { store: TableStore; description: TableDescription }) {
  const { connectionId, table, store, description, capabilities } = props;
  const barOpen = useStore(store, (state) => state.filterBarOpen);
  const panelOpen = useStore(store, (state) => state.valuePanelOpen);
  const view = useTableView({ connectionId, description, store });
  const { asked, ready, shown, error, fault, isFetching, reload } = view;
  const partitions = usePartitions(connectionId, table, description.partitioned === true);
  const { partition } = asked;
  const stagedEdits = stagedStore(connectionId, table, partition);
  const staged = useStaged(stagedEdits);
  const save = useSave(connectionId, table, partition);
  const [dialog, setDialog] = useState<TableDialog | null>(null);
  const grid = useRef<DataGridHandle>(null);
  const filterBar = useRef<FilterBarHandle>(null);
  const searchBar = useRef<SearchBarHandle>(null);
  const partitionPicker = useRef<PartitionPickerHandle>(null);
  const activeColumn = useRef<string>(undefined);

  const can = (capability: Capability) => capabilities?.includes(capability) ?? true;
  const search = useSearch(description, store, view, can('search'));
  const exporting = useTableExport(connectionId, store, table);
  const exportNow = can('exportRows') && ready ? () => setDialog({ kind: 'export' }) : undefined;
  const refusal = tableRefusal(props.safeMode, can('applyChanges'), description);
  const insertRefusal =
    refusal ?? description.readOnly?.insert ?? (ready ? undefined : 'Choose a tenant first');
  const rows = shown?.page.rows;
  const page = useMemo(
    () => (rows ? pageLines(rowKeys(rows, description.key), description.readOnly?.update) : []),
    [rows, description],
  );
  const { failures, unknown } = staged.edits;
  const { rows: saved, flashing } = save.savedRows;
  const askedAt = shown?.askedAt ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the flash ends, lines are drawn without it
  const lines = useMemo(
    () => stagedLines(page, { staged: staged.rows, failures, unknown, saved, askedAt }),
    [page, staged.rows, failures, unknown, saved, askedAt, flashing],
  );

  const insert = () => {
    if (insertRefusal) return;
    staged.insert();
    // The new row is there with the next frame; its place is behind the other new ones.
    const place = lines.filter(({ at }) => at === undefined).length;
    requestAnimationFrame(() => grid.current?.goTo(place));
  };
  const openFilters = () => {
    store.setState({ filterBarOpen: true });
    requestAnimationFrame(() => filterBar.current?.focus());
  };
  const closeFilters = () => {
    store.setState({ filterBarOpen: false });
    grid.current?.focus();
  };
  // Edits go by key, and another partition may have the same keys.
  const changePartition = (partition: string) => {
    if (staged.counts.total > 0) {
      showToast({ title: 'Save or discard the changes first', description: 'They belong to this tenant.' });
      return;
    }
    // The object a search started from is of the partition that is left.
    const search = asked.search?.mode === 'near_object' ? null : asked.search;
    store.setState({ partition, offset: 0, search });
  };
  const clearFilters = () => store.setState({ filters: [], offset: 0 });
  const togglePanel = () => store.setState(({ valuePanelOpen }) => ({ valuePanelOpen: !valuePanelOpen }));
  // What the last save said is about the edits that were there then.
  const undo = () => {
    staged.undo();
    save.clearError();
  };
  const redo = () => {
    staged.redo();
    save.clearError();
  };
  // Redo brings the edits back one by one, so there is nothing to ask.
  const discard = () => {
    staged.discard();
    save.clearError();
    showToast({
      title: 'Changes discarded',
      description: `${shortcutText('Shift+Mod+Z')} brings them back one by one.`,
    });
  };
  const saveNow = async (changes: ChangeSet) => {
    setDialog(null);
    if (await save.start(changes)) return;
    showToast({
      title: 'Nothing was saved',
      description: 'Another window changed or saves these rows. Look at them and save again.',
    });
  };
  const request = (changes: ChangeSet) => {
    if (changes.changes.length === 0 || refusal) return;
    if (save.progress) return showToast({ title: 'A save of this table is under way' });
    if (props.safeMode === 'confirm')
      setDialog({ kind: 'confirm', rows: changes.changes.map(({ id }) => id) });
    else void saveNow(changes);
  };
  // Read from the store: the edit that this very key press committed is not drawn yet.
  const requestSave = () => request(changeSet(table, partition, stagedEdits.get()));
  const sendAgain = () => {
    const rows = new Set(staged.unknown);
    request(changesOfRows(changeSet(table, partition, { ...stagedEdits.get(), unknown: [] }), rows));
  };
  const dialogChanges = (rows: string[] | undefined) =>
    rows
      ? changesOfRows(changeSet(table, partition, { ...staged.edits, unknown: [] }), new Set(rows))
      : changeSet(table, partition, staged.edits);
  useShortcuts(props.active ?? true, {
    filter: openFilters,
    search: () => searchBar.current?.focus(),
    valuePanel: togglePanel,
    reload,
    save: requestSave,
    undo,
    redo,
  });

  const filterError = barOpen && fault === 'filters' ? error : null;
  const searchError = fault === 'search' ? error : null;
  const otherError = error && !filterError && !searchError ? error : null;
  return (
    <>
      <TableToolbar
        filterCount={asked.filters.length}
        filterBarOpen={barOpen}
        onToggleFilters={barOpen ? closeFilters : openFilters}
        refusal={refusal}
        insertRefusal={insertRefusal}
        valuePanelOpen={panelOpen}
        onInsert={insert}
        onReload={reload}
        onExport={exportNow}
        onToggleValuePanel={togglePanel}
      >
        {description.partitioned && partitions.data && (
          <PartitionPicker
            ref={partitionPicker}
            partitions={partitions.data}
            value={asked.partition}
            onChange={changePartition}
          />
        )}
      </TableToolbar>
      {search && ready && (
        <SearchBar
          ref={searchBar}
          support={search.support}
          draft={search.draft}
          active={asked.search !== null}
          error={searchError}
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
          suggested={() => activeColumn.current}
          error={filterError}
          onApply={(filters, match) => store.setState({ filters, match, offset: 0 })}
          onClose={closeFilters}
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
          {fault === 'depth' && exportNow ? (
            <Button size="small" onClick={exportNow}>
              Export…
            </Button>
          ) : (
            <Button size="small" onClick={reload}>
              Retry
            </Button>
          )}
        </ErrorNote>
      )}
      {partitions.error && <ErrorNote error={partitions.error} className={styles.note} />}
      <div className={styles.gridArea}>
        <ProgressLine active={isFetching} />
        {shown && lines.length > 0 && (
          <TableGrid
            {...{ connectionId, description, store, shown, lines, staged }}
            refusal={refusal}
            onInsert={insert}
            onFindSimilar={search?.findSimilar}
            onColumn={(name) => {
              activeColumn.current = name;
            }}
            ref={grid}
          />
        )}
        {shown && lines.length === 0 && (
          <NoRows
            table={table}
            filtered={shown.request.filters.length > 0}
            beyond={shown.request.offset > 0}
            insertRefusal={insertRefusal}
            onClearSearch={shown.search ? () => search?.clear() : null}
            onClearFilters={clearFilters}
            onFirstPage={() => store.setState({ offset: 0 })}
            onInsert={insert}
          />
        )}
        {!shown && (
          <NoPage
            error={error}
            cancelled={view.isCancelled}
            partitions={ready || partitions.error ? null : (partitions.data ?? [])}
            loadingPartitions={partitions.isPending}
            onChoosePartition={() => partitionPicker.current?.focus()}
            onClearFilters={filterError ? clearFilters : null}
            onClearSearch={searchError && search ? search.clear : null}
            onFirstPage={fault === 'depth' ? () => store.setState({ offset: 0 }) : null}
            onReload={reload}
          />
        )}
      </div>
      {(staged.counts.total > 0 || save.progress) && (
        <StagedBar
          staged={staged}
          elsewhere={elsewhere(lines, staged.rows)}
          progress={save.progress}
          canPreview={can('previewChanges')}
          error={save.error}
          onUndo={undo}
          onRedo={redo}
          onDiscard={discard}
          onPreview={() => setDialog({ kind: 'preview' })}
          onSave={requestSave}
          onCancel={save.cancel}
          onSendAgain={sendAgain}
          onLookForThem={reload}
        />
      )}
      <ExportStrip exporting={exporting} />
      <PagingBar
        place={{
          offset: shown?.request.offset ?? 0,
          limit: shown?.request.limit ?? asked.pageSize,
          rows: rows?.rowCount,
          total: view.total,
        }}
        pageSize={asked.pageSize}
        searching={Boolean(shown?.search)}
        counting={view.counting}
        note={shown?.page.note}
        onOffset={(offset) => store.setState({ offset })}
        onPageSize={(size) => store.setState({ pageSize: size, offset: offsetForSize(asked.offset, size) })}
      >
        <LoadingNote active={isFetching} onCancel={view.cancelLoading} />
      </PagingBar>
      {dialog?.kind === 'export' && (
        <ExportDialog
          description={description}
          filterCount={asked.filters.length}
          onExport={(choice) => {
            setDialog(null);
            exporting.begin(choice);
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {(dialog?.kind === 'preview' || dialog?.kind === 'confirm') && (
        <ChangesDialog
          purpose={dialog.kind}
          connectionId={connectionId}
          changes={dialogChanges(dialog.kind === 'confirm' ? dialog.rows : undefined)}
          canPreview={can('previewChanges')}
          onSave={(changes) => void saveNow(changes)}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

type TableDialog = { kind: 'preview' } | { kind: 'export' } | { kind: 'confirm'; rows: string[] };

function changesOfRows(set: ChangeSet, rows: Set<string>): ChangeSet {
  return { ...set, changes: set.changes.filter(({ id }) => rows.has(id)) };
}
