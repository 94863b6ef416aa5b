import { create } from 'zustand';
import { type Tab, tabsOf } from '../data/window/workspace-state.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';
import { closeTabOfKind, kindOf } from './tab-kinds.ts';

/** The tab whose closing waits for the user's answer, because something would be lost. */
export const useClosingTab = create<{ closing: { connectionId: string; tab: Tab } | null }>(() => ({
  closing: null,
}));

/** Closes a tab. If something would be lost, asks first. */
export function requestCloseTab(connectionId: string, id: string): void {
  const tab = tabsOf(useWorkspace.getState(), connectionId).list.find((other) => other.id === id);
  if (!tab) return;
  if (kindOf(tab).lossOf?.(connectionId, tab)) useClosingTab.setState({ closing: { connectionId, tab } });
  else workspace.apply((state) => closeTabOfKind(state, connectionId, tab));
}
