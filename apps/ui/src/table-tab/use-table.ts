import type { Capability, TableDescription } from '@trestle/driver-kit';
import { useCallback, useMemo, useRef, useState } from 'react';
import { dialogs } from '../data/window/open-dialog.ts';
import { canCopy } from '../panels/copy/can-copy.ts';
import type { RowsChoice } from '../panels/export/index.ts';
import type { FilterBarHandle } from '../panels/filter-bar/index.ts';
import type { DataGridHandle } from '../panels/grid/index.ts';
import type { SearchBarHandle } from '../panels/search-bar/index.ts';
import { rowKeys } from './row-id.ts';
import { useRowRequests } from './row-requests.ts';
import { stagedStore } from './staged-store.ts';
import { pageLines, stagedLines, type TableLine } from './table-lines.ts';
import type { TableStore } from './table-store.ts';
import type { TableTabProps } from './types.ts';
import { useColumns } from './use-columns.ts';
import { usePartitions } from './use-page.ts';
import { useSave } from './use-save.ts';
import { useSearch } from './use-search.ts';
import { tableRefusal, useStaged } from './use-staged.ts';
import { useTableExport } from './use-table-export.ts';
import { useTableView } from './use-table-view.ts';

export type DescribedTableProps = TableTabProps & { store: TableStore; description: TableDescription };

export type TableDialog =
  | { kind: 'preview' }
  | { kind: 'export'; first?: RowsChoice }
  | { kind: 'columns' }
  | { kind: 'summary'; column: string }
  | { kind: 'code' }
  | { kind: 'confirm'; rows: string[] };

/** The state that the parts of a tab share: rows, staged edits, permissions and focus. */
export function useTable(props: DescribedTableProps) {
  const { connectionId, table, store, description, capabilities } = props;
  useRowRequests({ connectionId, table, store, partitioned: description.partitioned === true });
  const partitions = usePartitions(connectionId, table, description.partitioned === true);
  const can = (capability: Capability) => capabilities?.includes(capability) ?? true;
  const canSearch = can('search');
  const view = useTableView({ connectionId, description, store, partitions: partitions.data, canSearch });
  const { shown, ready, asked } = view;
  const stagedEdits = stagedStore(connectionId, table, asked.partition);
  const staged = useStaged(stagedEdits);
  const save = useSave(connectionId, table, asked.partition);
  const [dialog, setDialog] = useState<TableDialog | null>(null);
  const onChooseColumns = useCallback(() => setDialog({ kind: 'columns' }), []);
  const onSummarise = useCallback((column: string) => setDialog({ kind: 'summary', column }), []);
  const columns = useColumns({
    connectionId,
    description,
    widths: props.persisted?.widths,
    onChoose: onChooseColumns,
    onSummarise: can('aggregate') && ready ? onSummarise : undefined,
  });
  const grid = useRef<DataGridHandle>(null);
  const filterBar = useRef<FilterBarHandle>(null);
  const searchBar = useRef<SearchBarHandle>(null);
  const labQuery = useRef<HTMLInputElement>(null);
  const mapSearch = useRef<HTMLInputElement>(null);
  const [barLead, setBarLead] = useState<HTMLElement | null>(null);
  const [barTail, setBarTail] = useState<HTMLElement | null>(null);
  const activeColumn = useRef<string>(undefined);
  const selected = useRef<TableLine[]>([]);

  const search = useSearch(description, store, view, canSearch);
  const exporting = useTableExport(connectionId, store, table);
  const refusal = tableRefusal(props.safeMode, can('applyChanges'), description);
  const insertRefusal =
    refusal ?? description.readOnly?.insert ?? (ready ? undefined : 'Choose or activate a tenant first');

  const rows = shown?.page.rows;
  const page = useMemo(
    () => (rows ? pageLines(rowKeys(rows, description.key), description.readOnly?.update) : []),
    [rows, description],
  );
  const { failures, unknown } = staged.edits;
  const { rows: saved, flashing } = save.savedRows;
  const askedAt = shown?.askedAt;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `flashing` must compute the lines again
  const lines = useMemo(
    () => stagedLines(page, { staged: staged.rows, failures, unknown, saved, askedAt }),
    [page, staged.rows, failures, unknown, saved, askedAt, flashing],
  );

  return {
    props,
    view,
    partitions,
    stagedEdits,
    staged,
    save,
    search,
    exporting,
    can,
    /** Why nothing can be changed; undefined if something can. */
    refusal,
    insertRefusal,
    lines,
    columns,
    dialog,
    setDialog,
    grid,
    filterBar,
    searchBar,
    labQuery,
    mapSearch,
    /** The places in the toolbar for the controls of a view other than the rows. */
    bar: { lead: barLead, tail: barTail },
    setBarLead,
    setBarTail,
    /** The column with the cursor. A new filter starts with it. */
    activeColumn,
    /** The rows that the grid's selection covers. */
    selected,
    /** Undefined if the table accepts no new rows. */
    onImport:
      refusal === undefined && description.readOnly?.insert === undefined
        ? () =>
            dialogs.importInto({
              connectionId,
              table,
              ...(asked.partition !== undefined && { partition: asked.partition }),
            })
        : undefined,
    onCopy: canCopy(can, description) ? () => dialogs.copyTable({ connectionId, table }) : undefined,
    onShowCode: can('showRequest') && ready ? () => setDialog({ kind: 'code' }) : undefined,
    onExport:
      can('exportRows') && ready
        ? (first?: RowsChoice) => setDialog({ kind: 'export', ...(first && { first }) })
        : undefined,
  };
}

export type Table = ReturnType<typeof useTable>;
