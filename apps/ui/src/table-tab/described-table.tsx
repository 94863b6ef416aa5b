import type { BrowseRequest, TableDescription } from '@trestle/driver-kit';
import { useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { FilterBar, type FilterBarHandle } from '../filter-bar/index.ts';
import type { DataGridHandle } from '../grid/index.ts';
import { toApiError } from '../shared/api.ts';
import { Button } from '../shared/button.tsx';
import { ErrorNote } from '../shared/error-note.tsx';
import { showToast } from '../shared/toast.tsx';
import { ChangesDialog } from './changes-dialog.tsx';
import { LoadingNote, ProgressLine } from './loading.tsx';
import { offsetForSize } from './paging.ts';
import { PagingBar } from './paging-bar.tsx';
import { PartitionPicker } from './partition-picker.tsx';
import { rowKeys } from './row-id.ts';
import { StagedBar } from './staged-bar.tsx';
import { noEdits } from './staged-edits.ts';
import { TableGrid } from './table-grid.tsx';
import { elsewhere, pageLines, stagedLines } from './table-lines.ts';
import { NoPage, NoRows } from './table-states.tsx';
import type { TableStore } from './table-store.ts';
import styles from './table-tab.module.css';
import { TableToolbar } from './table-toolbar.tsx';
import type { TableTabProps } from './types.ts';
import { useCount, usePage, usePartitions } from './use-page.ts';
import { changeSet, useSave } from './use-save.ts';
import { useShortcuts } from './use-shortcuts.ts';
import { tableRefusal, useStaged } from './use-staged.ts';

/** The tab once the table's columns are known. */
export function DescribedTable(props: TableTabProps & { store: TableStore; description: TableDescription }) {
  const { connectionId, table, store, description, capabilities } = props;
  const asked = useStore(
    store,
    useShallow(({ partition, filters, match, sort, pageSize, offset }) => {
      return { partition, filters, match, sort, pageSize, offset };
    }),
  );
  const barOpen = useStore(store, (state) => state.filterBarOpen);
  const request = useMemo((): BrowseRequest => {
    const { partition, pageSize, ...rest } = asked;
    return { table, ...(partition !== undefined && { partition }), ...rest, limit: pageSize };
  }, [table, asked]);
  const ready = !description.partitioned || asked.partition !== undefined;
  const { shown, error, isFetching, isCancelled, cancel, reload } = usePage(connectionId, request, ready);
  const counting = useCount(connectionId, request, ready);
  // The number beside the rows belongs to the rows shown, which may not be the ones asked for.
  const count = useCount(connectionId, shown?.request ?? request, false);
  const partitions = usePartitions(connectionId, table, description.partitioned === true);
  const staged = useStaged(store);
  const save = useSave(connectionId, table, store);
  const [dialog, setDialog] = useState<'preview' | 'confirm' | null>(null);
  const grid = useRef<DataGridHandle>(null);
  const filterBar = useRef<FilterBarHandle>(null);
  const activeColumn = useRef<string>(undefined);

  const can = (capability: 'applyChanges' | 'previewChanges') => capabilities?.includes(capability) ?? true;
  const refusal = tableRefusal(props.safeMode, can('applyChanges'), description);
  const insertRefusal =
    refusal ?? description.readOnly?.insert ?? (ready ? undefined : 'Choose a tenant first');
  const rows = shown?.page.rows;
  const page = useMemo(
    () => (rows ? pageLines(rowKeys(rows, description.key), description.readOnly?.update) : []),
    [rows, description],
  );
  const { failures } = staged.edits;
  const lines = useMemo(() => stagedLines(page, staged.rows, failures), [page, staged.rows, failures]);

  const insert = () => {
    if (insertRefusal || save.isPending) return;
    staged.insert();
    const { size } = staged.rows.inserted;
    // The new row is there with the next frame; its place is behind the other new ones.
    requestAnimationFrame(() => grid.current?.goTo(size));
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
    if (staged.counts.total === 0) store.setState({ partition, offset: 0, edits: noEdits });
    else
      showToast({ title: 'Save or discard the changes first', description: 'They belong to this tenant.' });
  };
  const clearFilters = () => store.setState({ filters: [], offset: 0 });
  const saveNow = () => {
    setDialog(null);
    save.mutate();
  };
  const requestSave = () => {
    // Read from the store: the edit that this very key press committed is not drawn yet.
    if (changeSet(table, store).changes.length === 0 || save.isPending || refusal) return;
    if (props.safeMode === 'confirm') setDialog('confirm');
    else saveNow();
  };
  useShortcuts(props.active ?? true, {
    filter: openFilters,
    reload,
    save: requestSave,
    undo: () => !save.isPending && staged.undo(),
    redo: () => !save.isPending && staged.redo(),
  });
  // Back to what is shown: a page that never came must not be what the bars talk about.
  const cancelLoading = async () => {
    await cancel();
    if (!shown) return;
    const { filters, match, sort, limit, offset } = shown.request;
    store.setState({ filters, match, sort, pageSize: limit, offset });
  };

  const filterError = barOpen && asked.filters.length > 0 && isAboutFilters(error) ? error : null;
  return (
    <>
      <TableToolbar
        filterCount={asked.filters.length}
        filterBarOpen={barOpen}
        onToggleFilters={barOpen ? closeFilters : openFilters}
        refusal={refusal}
        insertRefusal={insertRefusal}
        onInsert={insert}
        onReload={reload}
      >
        {description.partitioned && partitions.data && (
          <PartitionPicker partitions={partitions.data} value={asked.partition} onChange={changePartition} />
        )}
      </TableToolbar>
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
      {error && !filterError && shown && (
        <ErrorNote error={error} className={styles.note}>
          <Button size="small" onClick={reload}>
            Retry
          </Button>
        </ErrorNote>
      )}
      {partitions.error && <ErrorNote error={partitions.error} className={styles.note} />}
      <div className={styles.gridArea}>
        <ProgressLine active={isFetching} />
        {shown && lines.length > 0 && (
          <TableGrid
            {...{ connectionId, description, store, shown, lines, staged }}
            refusal={refusal ?? (save.isPending ? 'The changes are being saved' : undefined)}
            onInsert={insert}
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
            onClearFilters={clearFilters}
            onFirstPage={() => store.setState({ offset: 0 })}
            onInsert={insert}
          />
        )}
        {!shown && (
          <NoPage
            error={error}
            cancelled={isCancelled}
            needsPartition={!ready && !partitions.error}
            onClearFilters={filterError ? clearFilters : null}
            onReload={reload}
          />
        )}
      </div>
      {(staged.counts.total > 0 || staged.canRedo || save.error !== null) && (
        <StagedBar
          staged={staged}
          elsewhere={elsewhere(page, staged.rows)}
          saving={save.isPending}
          canPreview={can('previewChanges')}
          error={save.error}
          onPreview={() => setDialog('preview')}
          onSave={requestSave}
        />
      )}
      <PagingBar
        place={{
          offset: shown?.request.offset ?? 0,
          limit: shown?.request.limit ?? asked.pageSize,
          rows: rows?.rowCount,
          total: count.data,
        }}
        pageSize={asked.pageSize}
        counting={counting.isFetching}
        note={shown?.page.note}
        onOffset={(offset) => store.setState({ offset })}
        onPageSize={(size) => store.setState({ pageSize: size, offset: offsetForSize(asked.offset, size) })}
      >
        <LoadingNote active={isFetching} onCancel={cancelLoading} />
      </PagingBar>
      {dialog && (
        <ChangesDialog
          purpose={dialog}
          connectionId={connectionId}
          changes={changeSet(table, store)}
          counts={staged.counts}
          canPreview={can('previewChanges')}
          onSave={saveNow}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

/** Such an error is shown beside the filters, where it can be mended. */
function isAboutFilters(error: unknown): boolean {
  return error !== null && ['filter_unrunnable', 'invalid_argument'].includes(toApiError(error).code);
}
