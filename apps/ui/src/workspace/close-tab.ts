import { create } from 'zustand';
import { type Tab, tabsOf } from '../data/window/workspace-state.ts';
import { useWorkspace, workspace } from '../data/window/workspace-store.ts';
import { stagedIn, useStagedCounts } from '../table-tab/index.ts';

/** The tab whose closing waits for the user's answer, because staged edits would be lost. */
export const useClosingTab = create<{ closing: { connectionId: string; tab: Tab } | null }>(() => ({
  closing: null,
}));

/** Closes a tab. If staged edits would be lost, asks first. */
export function requestCloseTab(connectionId: string, id: string): void {
  const tab = tabsOf(useWorkspace.getState(), connectionId).list.find((other) => other.id === id);
  if (!tab) return;
  if (whatCloses(connectionId, tab)) useClosingTab.setState({ closing: { connectionId, tab } });
  else workspace.closeTab(connectionId, id);
}

/** A sentence about the loss if the tab closes; null if nothing is lost. A closed query can be reopened. */
export function whatCloses(connectionId: string, tab: Tab): string | null {
  if (tab.kind === 'query') return null;
  const count = stagedIn(useStagedCounts.getState().counts, connectionId, tab.table);
  if (count === 0) return null;
  return `${count} changed ${count === 1 ? 'row has' : 'rows have'} not been saved to ${tab.table}.`;
}

/** How many rows of the tab's table have staged edits, from any window. */
export function useStagedCount(connectionId: string, tab: Tab): number {
  return useStagedCounts(({ counts }) =>
    tab.kind === 'table' ? stagedIn(counts, connectionId, tab.table) : 0,
  );
}
