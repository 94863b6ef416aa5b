import { create } from 'zustand';
import * as change from './workspace-state.ts';

export const useWorkspace = create<change.WorkspaceState>(() => change.emptyWorkspace);

/** The changes of this window. `workspace/remember-workspace.ts` stores them, and adds the changes of other windows. */
export const workspace = {
  apply(step: (state: change.WorkspaceState) => change.WorkspaceState): void {
    useWorkspace.setState(step, true);
  },
  showConnection: (id: string | null) => workspace.apply((state) => change.showConnection(state, id)),
  closeConnection: (id: string) => workspace.apply((state) => change.closeConnection(state, id)),
  keepConnections: (ids: string[]) => workspace.apply((state) => change.keepConnections(state, ids)),
  showHome: (connectionId: string) => workspace.apply((state) => change.showHome(state, connectionId)),
  discardTab: (connectionId: string, id: string) =>
    workspace.apply((state) => change.discardTab(state, connectionId, id)),
  activateTab: (connectionId: string, id: string) =>
    workspace.apply((state) => change.activateTab(state, connectionId, id)),
  keepTab: (connectionId: string, id: string) =>
    workspace.apply((state) => change.keepTab(state, connectionId, id)),
  moveTab: (connectionId: string, id: string, before: string) =>
    workspace.apply((state) => change.moveTab(state, connectionId, id, before)),
  changeTab: <T extends change.Tab>(
    connectionId: string,
    id: string,
    patch: Parameters<typeof change.changeTab<T>>[3],
  ) => workspace.apply((state) => change.changeTab<T>(state, connectionId, id, patch)),
  setSidebarWidth: (sidebarWidth: number) => workspace.apply((state) => ({ ...state, sidebarWidth })),
  setSidebarHidden: (sidebarHidden: boolean) => workspace.apply((state) => ({ ...state, sidebarHidden })),
};

export function newId(): string {
  return crypto.randomUUID().slice(0, 8);
}
