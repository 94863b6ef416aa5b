import {
  changeTab,
  openOrShow,
  openTab,
  type Tab,
  tabsOf,
  type WorkspaceState,
} from '../../data/window/workspace-state.ts';
import { newId, workspace } from '../../data/window/workspace-store.ts';

export interface QueryTab extends Tab {
  kind: 'query';
  number: number;
  text: string;
  showHistory: boolean;
  /** The id of the saved query in this tab. `text` may differ from the saved text. */
  savedId?: string;
}

export function isQuery(tab: Tab): tab is QueryTab {
  return tab.kind === 'query';
}

export function openQuery(connectionId: string, text?: string): void {
  workspace.apply((state) => withQuery(state, connectionId, newId(), text));
}

/** A saved query has one tab. Opening the query again shows that tab, with its changes. */
export function openSavedQuery(connectionId: string, saved: { id: string; text: string }): void {
  workspace.apply((state) => withSavedQuery(state, connectionId, newId(), saved));
}

export function withQuery(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  text = '',
): WorkspaceState {
  const tab: QueryTab = {
    id,
    kind: 'query',
    number: nextNumber(tabsOf(state, connectionId).list.filter(isQuery)),
    text,
    showHistory: false,
  };
  return openTab(state, connectionId, tab);
}

export function withSavedQuery(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  saved: { id: string; text: string },
): WorkspaceState {
  const known = tabsOf(state, connectionId).list.find((tab) => isQuery(tab) && tab.savedId === saved.id);
  if (known) return openOrShow(state, connectionId, known, ({ id }) => id === known.id);
  const opened = withQuery(state, connectionId, id, saved.text);
  return changeTab<QueryTab>(opened, connectionId, id, { savedId: saved.id });
}

/** A number above the numbers of all open queries. */
export function nextNumber(queries: QueryTab[]): number {
  return Math.max(0, ...queries.map(({ number }) => number)) + 1;
}
