import { rowKeys } from '@trestle/core/staged-edits';
import type { Capability, TableDescription } from '@trestle/driver-kit';
import { useMemo, useRef } from 'react';
import { stagedStore } from '../data/staged/staged-store.ts';
import { dialogs } from '../data/window/open-dialog.ts';
import { canCopy } from '../panels/copy/can-copy.ts';
import type { RowsChoice } from '../panels/export/index.ts';
import type { FilterBarHandle } from '../panels/filter-bar/index.ts';
import type { DataGridHandle } from '../panels/grid/index.ts';
import type { SearchBarHandle } from '../panels/search-bar/index.ts';
import { pageLines, stagedLines, type TableLine } from './table-lines.ts';
import type { TableStore } from './table-store.ts';
import type { TableTabProps } from './types.ts';
import { useSave } from './use-save.ts';
import { tableRefusal, useStaged } from './use-staged.ts';
import type { TableView } from './use-table-view.ts';

export type DescribedTableProps = TableTabProps & { store: TableStore; description: TableDescription };

export type TableDialog =
  | { kind: 'preview' }
  | { kind: 'export'; first?: RowsChoice }
  | { kind: 'columns' }
  | { kind: 'summary'; column: string }
  | { kind: 'code' }
  | { kind: 'confirm'; rows: string[] };

/** What the session, the connection and the table allow. */
export interface TableRights {
  can(capability: Capability): boolean;
  /** Why nothing can be changed; undefined if something can. */
  refusal: string | undefined;
  insertRefusal: string | undefined;
}

/** `isReady`: whether the chosen partition can be read, if the table has partitions. */
export function tableRights(tab: DescribedTableProps, isReady: boolean): TableRights {
  const { capabilities, description } = tab;
  const can = (capability: Capability) => capabilities?.includes(capability) ?? true;
  const refusal = tableRefusal(tab.safeMode, can('applyChanges'), description);
  const notReady = isReady ? undefined : 'Choose or activate a tenant first';
  return { can, refusal, insertRefusal: refusal ?? description.readOnly?.insert ?? notReady };
}

/** The staged edits of the visible partition, their save, and the lines of the grid with both. */
export function useStaging({ connectionId, table, description }: DescribedTableProps, view: TableView) {
  const { shown, asked } = view;
  const edits = stagedStore(connectionId, table, asked.partition);
  const staged = useStaged(edits);
  const save = useSave(connectionId, table, asked.partition);
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
  return { edits, staged, save, lines };
}

export type TableStaging = ReturnType<typeof useStaging>;

/** The parts that can get the focus. A part that is not visible has no element. */
export function usePlaces() {
  return {
    grid: useRef<DataGridHandle>(null),
    filterBar: useRef<FilterBarHandle>(null),
    searchBar: useRef<SearchBarHandle>(null),
    labQuery: useRef<HTMLInputElement>(null),
    mapSearch: useRef<HTMLInputElement>(null),
  };
}

export type TablePlaces = ReturnType<typeof usePlaces>;

/** The column with the cursor, with which a new filter starts, and the rows that the grid's selection covers. */
export function useCursor() {
  return { column: useRef<string>(undefined), selected: useRef<TableLine[]>([]) };
}

export type TableCursor = ReturnType<typeof useCursor>;

/** The actions with a dialog. An action is undefined if the table or the session does not have it. */
export function tableOffers(input: {
  tab: DescribedTableProps;
  rights: TableRights;
  view: TableView;
  show(dialog: TableDialog): void;
}) {
  const { tab, rights, view, show } = input;
  const { connectionId, table, description } = tab;
  const { partition } = view.asked;
  const acceptsRows = rights.refusal === undefined && description.readOnly?.insert === undefined;
  const into = { connectionId, table, ...(partition !== undefined && { partition }) };
  return {
    onImport: acceptsRows ? () => dialogs.importInto(into) : undefined,
    onCopy: canCopy(rights.can, description) ? () => dialogs.copyTable({ connectionId, table }) : undefined,
    onShowCode: rights.can('showRequest') && view.ready ? () => show({ kind: 'code' }) : undefined,
    onExport:
      rights.can('exportRows') && view.ready
        ? (first?: RowsChoice) => show({ kind: 'export', ...(first && { first }) })
        : undefined,
  };
}

export type TableOffers = ReturnType<typeof tableOffers>;
