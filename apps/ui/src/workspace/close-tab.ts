import { create } from 'zustand';
import type { PersistedTable } from '../table-tab/index.ts';
import { type Tab, tabsOf } from './workspace-state.ts';
import { useWorkspace, workspace } from './workspace-store.ts';

/** The tab whose closing waits for an answer, because something would be lost with it. */
export const useClosingTab = create<{ closing: { connectionId: string; tab: Tab } | null }>(() => ({
  closing: null,
}));

/** Closes a tab, or asks first. */
export function requestCloseTab(connectionId: string, id: string): void {
  const tab = tabsOf(useWorkspace.getState(), connectionId).list.find((other) => other.id === id);
  if (!tab) return;
  if (whatCloses(tab)) useClosingTab.setState({ closing: { connectionId, tab } });
  else workspace.closeTab(connectionId, id);
}

/** What closing the tab would throw away, in words; null for nothing. A query's text can be reopened. */
export function whatCloses(tab: Tab): string | null {
  if (tab.kind === 'query') return null;
  const count = stagedCount(tab);
  if (count === 0) return null;
  return `${count} changed ${count === 1 ? 'row has' : 'rows have'} not been saved to ${tab.table}.`;
}

export function stagedCount(tab: Tab): number {
  return tab.kind === 'table' ? ((tab.view as PersistedTable | null)?.stagedCount ?? 0) : 0;
}
