import { create } from 'zustand';
import { api } from '../shared/api.ts';
import { useReach } from '../shared/events.ts';
import { restoreWorkspace } from './restore-workspace.ts';
import * as change from './workspace-state.ts';

export const useWorkspace = create<change.WorkspaceState>(() => change.emptyWorkspace);

/** Everything that changes the workspace. Each is remembered by the app a moment later. */
export const workspace = {
  showConnection: (id: string | null) => apply((state) => change.showConnection(state, id)),
  closeConnection: (id: string) => apply((state) => change.closeConnection(state, id)),
  keepConnections: (ids: string[]) => apply((state) => change.keepConnections(state, ids)),
  /** A tenant counts where the table is not open yet. */
  openTable: (connectionId: string, table: string, tenant?: string) =>
    apply((state) =>
      change.openTable(
        state,
        connectionId,
        table,
        newId(),
        tenant === undefined ? null : { partition: tenant },
      ),
    ),
  openQuery: (connectionId: string, text?: string) =>
    apply((state) => change.openQuery(state, connectionId, newId(), text)),
  closeTab: (connectionId: string, id: string) => apply((state) => change.closeTab(state, connectionId, id)),
  discardTab: (connectionId: string, id: string) =>
    apply((state) => change.discardTab(state, connectionId, id)),
  reopenTab: (connectionId: string) => apply((state) => change.reopenTab(state, connectionId)),
  activateTab: (connectionId: string, id: string) =>
    apply((state) => change.activateTab(state, connectionId, id)),
  moveTab: (connectionId: string, id: string, before: string) =>
    apply((state) => change.moveTab(state, connectionId, id, before)),
  changeTab: (connectionId: string, id: string, patch: Parameters<typeof change.changeTab>[3]) =>
    apply((state) => change.changeTab(state, connectionId, id, patch)),
  setSidebarWidth: (sidebarWidth: number) => apply((state) => ({ ...state, sidebarWidth })),
};

const storageKey = 'workspace';
const saveAfterMs = 400;

/** Brings back the last state, then writes every change to it. Gives the function that ends that. */
export async function rememberWorkspace(): Promise<() => void> {
  useWorkspace.setState(restoreWorkspace(await api.uiState.get.query(storageKey)), true);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBehind = false;
  const save = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    // A failure shows as the banner that the app is gone; it is written when the app is back.
    const value = useWorkspace.getState() as unknown as Parameters<typeof api.uiState.set.mutate>[0]['value'];
    api.uiState.set.mutate({ key: storageKey, value }).catch(() => {
      isBehind = true;
    });
  };
  const saveLater = () => {
    clearTimeout(timer);
    timer = setTimeout(save, saveAfterMs);
  };
  const stop = useWorkspace.subscribe(saveLater);
  const stopReach = useReach.subscribe(({ reach }) => {
    if (reach !== 'connected' || !isBehind) return;
    isBehind = false;
    saveLater();
  });
  window.addEventListener('pagehide', save);
  return () => {
    stop();
    stopReach();
    window.removeEventListener('pagehide', save);
  };
}

function apply(step: (state: change.WorkspaceState) => change.WorkspaceState): void {
  useWorkspace.setState(step, true);
}

function newId(): string {
  return crypto.randomUUID().slice(0, 8);
}
