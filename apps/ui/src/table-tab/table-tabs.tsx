import { Eye, Table2 } from 'lucide-react';
import { loadPart } from '../controls/loading/load-part.ts';
import { useSettings, useStatus, useTables } from '../data/queries/queries.ts';
import { discardStaged, followStaged, stagedIn, useStagedCounts } from '../data/staged/staged-store.ts';
import type { TabContentProps, TabKind } from '../data/window/tab-kind.ts';
import {
  changeTab,
  keepTab,
  openOrShow,
  previewTab,
  type Tab,
  tabsOf,
  type WorkspaceState,
} from '../data/window/workspace-state.ts';
import { newId, workspace } from '../data/window/workspace-store.ts';
import { requestRow } from './row-requests.ts';
import type { PersistedTable } from './types.ts';

export interface TableTab extends Tab {
  kind: 'table';
  table: string;
  /** Filters, sort, scroll position and the like. Staged edits and column widths have their own records. */
  view: unknown;
}

// The grid is one of the largest parts of the window. The list of connections and the home do not need it.
const TableTabContent = loadPart(async () => ({ default: (await import('./table-tab.tsx')).TableTab }));

export const tableTabs: TabKind<TableTab> = {
  kind: 'table',
  useLabel(connectionId, tab) {
    const isView = useTables(connectionId).data?.some(
      ({ name, kind }) => kind === 'view' && name === tab.table,
    );
    const staged = useStagedCounts(({ counts }) => stagedIn(counts, connectionId, tab.table));
    const unsaved = `${staged} unsaved`;
    return {
      title: tab.table,
      icon: isView ? Eye : Table2,
      mark: staged > 0 ? { label: unsaved, title: unsaved } : undefined,
    };
  },
  Content: TableContent,
  read: ({ table, view = null }) => (typeof table === 'string' ? { table, view } : null),
  isSame: (one, other) => one.table === other.table,
  lossOf(connectionId, { table }) {
    const count = stagedIn(useStagedCounts.getState().counts, connectionId, table);
    if (count === 0) return null;
    return `${count} changed ${count === 1 ? 'row has' : 'rows have'} not been saved to ${table}.`;
  },
  discard: (connectionId, { table }) => discardStaged(connectionId, table),
  isTouched,
  follow: followStaged,
};

export function isTable(tab: Tab): tab is TableTab {
  return tab.kind === tableTabs.kind;
}

/**
 * A table has one tab. Opening the table again shows that tab, and a preview stays from then on. The partition is used
 * only if the table is not open yet.
 */
export function openTable(connectionId: string, table: string, partition?: string): void {
  const tab = tableTab(table, partition === undefined ? null : { partition });
  workspace.apply((state) => keepTab(withTable(state, connectionId, tab), connectionId, tab.id));
}

/** Opens a table with a given view (a search, a filter). If the table has a tab, that tab gets the view. */
export function openTableWith(connectionId: string, table: string, view: PersistedTable): void {
  workspace.apply((state) => withTableView(state, connectionId, tableTab(table, view), newId()));
}

/** Every window computes the same id, so that all windows share one tab for a table. */
export function tableTab(table: string, view: PersistedTable | null = null): TableTab {
  return { id: `table-${encodeURIComponent(table)}`, kind: 'table', table, view };
}

/** Opens a table as the preview: the next preview takes its place, unless the user has done something in it. */
export function previewTable(connectionId: string, table: string): void {
  workspace.apply((state) =>
    previewTab(state, connectionId, tableTab(table), {
      isSame: (other) => isTable(other) && other.table === table,
      isKept: (preview) => !isTable(preview) || isTouched(connectionId, preview),
    }),
  );
}

function isTouched(connectionId: string, { table, view }: TableTab): boolean {
  const {
    filters = [],
    filtersOff = [],
    sort = [],
    search,
    shows,
    offset = 0,
  } = (view ?? {}) as PersistedTable;
  return (
    stagedIn(useStagedCounts.getState().counts, connectionId, table) > 0 ||
    filters.length + filtersOff.length + sort.length + offset > 0 ||
    Boolean(search) ||
    (shows ?? 'rows') !== 'rows'
  );
}

export function withTable(state: WorkspaceState, connectionId: string, tab: TableTab): WorkspaceState {
  return openOrShow(state, connectionId, tab, (other) => isTable(other) && other.table === tab.table);
}

/**
 * Like `withTable`, but a tab that is already open gets the new view and is mounted again under the key `mount`. The
 * table's staged edits are not affected.
 */
export function withTableView(
  state: WorkspaceState,
  connectionId: string,
  tab: TableTab,
  mount: string,
): WorkspaceState {
  const opened = withTable(state, connectionId, tab);
  const known = tabsOf(opened, connectionId).list.find(
    ({ id }) => id === tabsOf(opened, connectionId).active,
  );
  if (!known || !isTable(known) || known.view === tab.view) return opened;
  return changeTab<TableTab>(opened, connectionId, known.id, { view: tab.view, mount });
}

function TableContent({ connection, tab, isActive }: TabContentProps<TableTab>) {
  const pageSize = useSettings().data?.pageSize ?? 200;
  const { capabilities, state } = useStatus(connection.id);
  return (
    <TableTabContent
      connectionId={connection.id}
      table={tab.table}
      safeMode={connection.safeMode}
      capabilities={state === 'connected' ? capabilities : undefined}
      pageSize={pageSize}
      active={isActive}
      persisted={(tab.view as PersistedTable | null) ?? undefined}
      onOpenRow={(table, key, partition) => {
        requestRow({
          connectionId: connection.id,
          table,
          key,
          ...(partition !== undefined && { partition }),
        });
        openTable(connection.id, table);
      }}
      onPersist={(view) => workspace.changeTab<TableTab>(connection.id, tab.id, { view })}
    />
  );
}
