import { create } from 'zustand';
import { discardStaged } from '../../table-tab/index.ts';
import * as change from './workspace-state.ts';

export const useWorkspace = create<change.WorkspaceState>(() => change.emptyWorkspace);

/** The changes of this window. `remember-workspace.ts` stores them, and adds the changes of other windows. */
export const workspace = {
  showConnection: (id: string | null) => apply((state) => change.showConnection(state, id)),
  closeConnection: (id: string) => apply((state) => change.closeConnection(state, id)),
  keepConnections: (ids: string[]) => apply((state) => change.keepConnections(state, ids)),
  /** The partition is used only if the table is not open yet. */
  openTable: (connectionId: string, table: string, partition?: string) =>
    apply((state) =>
      change.openTable(
        state,
        connectionId,
        table,
        tableTabId(table),
        partition === undefined ? null : { partition },
      ),
    ),
  /** Opens a table with a given view (a search, a filter). If the table has a tab, that tab gets the view. */
  openTableWith: (connectionId: string, table: string, view: change.TableTab['view']) =>
    apply((state) =>
      change.openTableWith(
        state,
        connectionId,
        { id: tableTabId(table), kind: 'table', table, view },
        newId(),
      ),
    ),
  showHome: (connectionId: string) => apply((state) => change.showHome(state, connectionId)),
  openQuery: (connectionId: string, text?: string) =>
    apply((state) => change.openQuery(state, connectionId, newId(), text)),
  openSavedQuery: (connectionId: string, saved: { id: string; text: string }) =>
    apply((state) => change.openSavedQuery(state, connectionId, newId(), saved)),
  closeTab: (connectionId: string, id: string) => apply((state) => change.closeTab(state, connectionId, id)),
  discardTab: (connectionId: string, id: string) => {
    const tab = change.tabsOf(useWorkspace.getState(), connectionId).list.find((other) => other.id === id);
    if (tab?.kind === 'table') discardStaged(connectionId, tab.table);
    apply((state) => change.discardTab(state, connectionId, id));
  },
  reopenTab: (connectionId: string) => apply((state) => change.reopenTab(state, connectionId)),
  activateTab: (connectionId: string, id: string) =>
    apply((state) => change.activateTab(state, connectionId, id)),
  moveTab: (connectionId: string, id: string, before: string) =>
    apply((state) => change.moveTab(state, connectionId, id, before)),
  changeTab: (connectionId: string, id: string, patch: Parameters<typeof change.changeTab>[3]) =>
    apply((state) => change.changeTab(state, connectionId, id, patch)),
  setSidebarWidth: (sidebarWidth: number) => apply((state) => ({ ...state, sidebarWidth })),
  setSidebarHidden: (sidebarHidden: boolean) => apply((state) => ({ ...state, sidebarHidden })),
};

function apply(step: (state: change.WorkspaceState) => change.WorkspaceState): void {
  useWorkspace.setState(step, true);
}

export function newId(): string {
  return crypto.randomUUID().slice(0, 8);
}

/** Every window computes the same id, so that all windows share one tab for a table. */
function tableTabId(table: string): string {
  return `table-${encodeURIComponent(table)}`;
}
