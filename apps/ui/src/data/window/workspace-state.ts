/** The visible and stored state of the window, as plain data with pure functions. */
export interface WorkspaceState {
  /** Open connections in the order of the rail. */
  open: string[];
  /** The visible connection; null shows the list of connections. */
  current: string | null;
  /** Tabs survive the closing of their connection and return when it is opened again. */
  tabs: Record<string, ConnectionTabs>;
  sidebarWidth: number;
  /** The user's choice in a wide window. A narrow window ignores this choice. */
  sidebarHidden: boolean;
}

export interface ConnectionTabs {
  list: Tab[];
  active: string | null;
  /** The last closed tabs, newest first. */
  closed: Tab[];
}

export type Tab = TableTab | QueryTab;

interface AnyTab {
  id: string;
  /** The time at which the tab was closed. Undefined for an open tab. */
  closed?: number;
  /**
   * The React key of the tab. Defaults to the tab's id. When text moves to a new tab, the new tab gets the key of the
   * old one, so the editor stays mounted. When `openTableWith` changes the view, a new key mounts the tab again.
   */
  mount?: string;
}

export interface TableTab extends AnyTab {
  kind: 'table';
  table: string;
  /** Filters, sort, scroll position and the like. Staged edits and column widths have their own records. */
  view: unknown;
}

export interface QueryTab extends AnyTab {
  kind: 'query';
  number: number;
  text: string;
  showHistory: boolean;
  /** The id of the saved query in this tab. `text` may differ from the saved text. */
  savedId?: string;
}

export const emptyWorkspace: WorkspaceState = {
  open: [],
  current: null,
  tabs: {},
  sidebarWidth: 240,
  sidebarHidden: false,
};

const noTabs: ConnectionTabs = { list: [], active: null, closed: [] };
const closedKept = 10;

export function tabsOf(state: WorkspaceState, connectionId: string): ConnectionTabs {
  return state.tabs[connectionId] ?? noTabs;
}

export function showConnection(state: WorkspaceState, connectionId: string | null): WorkspaceState {
  const open =
    connectionId === null || state.open.includes(connectionId) ? state.open : [...state.open, connectionId];
  return { ...state, open, current: connectionId };
}

export function closeConnection(state: WorkspaceState, connectionId: string): WorkspaceState {
  const at = state.open.indexOf(connectionId);
  const open = state.open.filter((id) => id !== connectionId);
  const current =
    state.current === connectionId ? (open[Math.min(at, open.length - 1)] ?? null) : state.current;
  return { ...state, open, current };
}

/** Removes the state of connections that no longer exist. */
export function keepConnections(state: WorkspaceState, existing: string[]): WorkspaceState {
  const gone = [...new Set([...state.open, ...Object.keys(state.tabs)])].filter(
    (id) => !existing.includes(id),
  );
  if (gone.length === 0) return state;
  const closed = gone.reduce(closeConnection, state);
  return {
    ...closed,
    tabs: Object.fromEntries(Object.entries(state.tabs).filter(([id]) => existing.includes(id))),
  };
}

/** A table has one tab. Opening the table again shows that tab. */
export function openTable(
  state: WorkspaceState,
  connectionId: string,
  table: string,
  id: string,
  view: TableTab['view'] = null,
): WorkspaceState {
  const known = tabsOf(state, connectionId).list.find((tab) => tab.kind === 'table' && tab.table === table);
  if (known) return activateTab(showConnection(state, connectionId), connectionId, known.id);
  return addTab(state, connectionId, { id, kind: 'table', table, view });
}

/**
 * Like `openTable`, but a tab that is already open gets the new view and is mounted again under the key `mount`. The
 * table's staged edits are not affected.
 */
export function openTableWith(
  state: WorkspaceState,
  connectionId: string,
  tab: TableTab,
  mount: string,
): WorkspaceState {
  const opened = openTable(state, connectionId, tab.table, tab.id, tab.view);
  const { list } = tabsOf(opened, connectionId);
  const known = list.find((other) => other.kind === 'table' && other.table === tab.table);
  if (known?.kind !== 'table' || known.view === tab.view) return opened;
  const shown: TableTab = { ...known, view: tab.view, mount };
  return withTabs(opened, connectionId, {
    ...tabsOf(opened, connectionId),
    list: list.map((other) => (other === known ? shown : other)),
  });
}

export function openQuery(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  text = '',
): WorkspaceState {
  const number = nextNumber(tabsOf(state, connectionId).list);
  return addTab(state, connectionId, { id, kind: 'query', number, text, showHistory: false });
}

/** A saved query has one tab. Opening the query again shows that tab, with its changes. */
export function openSavedQuery(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  saved: { id: string; text: string },
): WorkspaceState {
  const known = tabsOf(state, connectionId).list.find(
    (tab) => tab.kind === 'query' && tab.savedId === saved.id,
  );
  if (known) return activateTab(showConnection(state, connectionId), connectionId, known.id);
  const opened = openQuery(state, connectionId, id, saved.text);
  return changeTab(opened, connectionId, id, { savedId: saved.id });
}

/** If the tab was active, its neighbour on the right becomes active, or else the one on the left. */
export function closeTab(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  now = Date.now(),
): WorkspaceState {
  const { list, active, closed } = tabsOf(state, connectionId);
  const at = list.findIndex((tab) => tab.id === id);
  const tab = list[at];
  if (!tab) return state;
  const rest = list.filter((tab) => tab.id !== id);
  const next = active === id ? (rest[Math.min(at, rest.length - 1)]?.id ?? null) : active;
  const isWorthKeeping = tab.kind === 'table' || tab.text.trim() !== '';
  return withTabs(state, connectionId, {
    list: rest,
    active: next,
    closed: isWorthKeeping ? [{ ...tab, closed: now }, ...closed].slice(0, closedKept) : closed,
  });
}

/** Closes a tab for good: it cannot be reopened. The caller discards the staged edits. */
export function discardTab(state: WorkspaceState, connectionId: string, id: string): WorkspaceState {
  const closed = tabsOf(state, connectionId).closed.filter((tab) => tab.id !== id);
  const after = closeTab(state, connectionId, id);
  return withTabs(after, connectionId, { ...tabsOf(after, connectionId), closed });
}

export function reopenTab(state: WorkspaceState, connectionId: string): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const [last, ...closed] = tabs.closed;
  if (!last) return state;
  const { closed: _, ...tab } = last;
  const without = withTabs(state, connectionId, { ...tabs, closed });
  if (
    tab.kind === 'table' &&
    tabs.list.some((other) => other.kind === 'table' && other.table === tab.table)
  ) {
    return openTable(without, connectionId, tab.table, tab.id);
  }
  return addTab(without, connectionId, tab.kind === 'query' ? asSeparateQuery(tabs.list, tab) : tab);
}

/**
 * The query to reopen. It gets a new number if an open tab has the same number. It loses its saved query if an open tab
 * has the same one.
 */
function asSeparateQuery(list: Tab[], tab: QueryTab): QueryTab {
  const others = list.filter((other) => other.kind === 'query');
  return {
    ...tab,
    number: others.some(({ number }) => number === tab.number) ? nextNumber(list) : tab.number,
    savedId: others.some(({ savedId }) => savedId === tab.savedId) ? undefined : tab.savedId,
  };
}

function nextNumber(list: Tab[]): number {
  return Math.max(0, ...list.map((tab) => (tab.kind === 'query' ? tab.number : 0))) + 1;
}

export function activateTab(state: WorkspaceState, connectionId: string, id: string): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  if (!tabs.list.some((tab) => tab.id === id)) return state;
  return withTabs(state, connectionId, { ...tabs, active: id });
}

/** Shows the connection's home; its tabs stay. */
export function showHome(state: WorkspaceState, connectionId: string): WorkspaceState {
  return withTabs(state, connectionId, { ...tabsOf(state, connectionId), active: null });
}

/** Moves a tab to the position of another one. */
export function moveTab(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  before: string,
): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const from = tabs.list.findIndex((tab) => tab.id === id);
  const to = tabs.list.findIndex((tab) => tab.id === before);
  const moved = tabs.list[from];
  if (!moved || to < 0 || from === to) return state;
  const list = tabs.list.toSpliced(from, 1).toSpliced(to, 0, moved);
  return withTabs(state, connectionId, { ...tabs, list });
}

export function changeTab(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  change: Partial<Pick<QueryTab, 'text' | 'showHistory' | 'savedId'>> | Pick<TableTab, 'view'>,
): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const before = tabs.list.find((tab) => tab.id === id);
  const isNew = Object.entries(change).some(([name, value]) => before?.[name as keyof Tab] !== value);
  if (!before || !isNew) return state;
  const list = tabs.list.map((tab) => (tab.id === id ? ({ ...tab, ...change } as Tab) : tab));
  return withTabs(state, connectionId, { ...tabs, list });
}

/**
 * Applies another window's change of a tab; null means that the tab was deleted. The active tab, or the home, stays
 * visible. If the active tab was closed or deleted, its neighbour becomes active.
 */
export function takeTab(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  tab: Tab | null,
): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const at = tabs.list.findIndex((other) => other.id === id);
  const others = tabs.list.filter((other) => other.id !== id);
  const isOpen = tab !== null && tab.closed === undefined;
  const list = isOpen ? tabs.list.toSpliced(at < 0 ? tabs.list.length : at, at < 0 ? 0 : 1, tab) : others;
  const closed = tabs.closed.filter((other) => other.id !== id);
  if (tab && !isOpen) closed.push(tab);
  closed.sort((a, b) => (b.closed ?? 0) - (a.closed ?? 0));
  const left = others[Math.min(at, others.length - 1)]?.id ?? null;
  const active = tabs.active === id && !isOpen ? left : tabs.active;
  return withTabs(state, connectionId, { list, active, closed: closed.slice(0, closedKept) });
}

/**
 * Two windows changed the text of one tab. Moves this window's text to a new tab beside the old tab. The new tab becomes
 * active if the old tab was active. The mounted editor moves with the text, so cursor and undo stay. If this window has
 * closed the old tab, the new tab comes last and becomes active.
 */
export function splitQuery(
  state: WorkspaceState,
  connectionId: string,
  shared: QueryTab,
  own: { id: string; text: string },
): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const at = tabs.list.findIndex(({ id }) => id === shared.id);
  // This window has closed the tab.
  if (at < 0) {
    return openQuery(takeTab(state, connectionId, shared.id, shared), connectionId, own.id, own.text);
  }
  const { mount = shared.id } = tabs.list[at]!;
  const apart: QueryTab = {
    ...shared,
    closed: undefined,
    id: own.id,
    number: nextNumber(tabs.list),
    text: own.text,
    // The saved query stays with the tab that both windows share.
    savedId: undefined,
    mount,
  };
  const list = tabs.list.toSpliced(at, 1, { ...shared, mount: `${shared.id}-${own.id}` }, apart);
  const split = withTabs(state, connectionId, {
    ...tabs,
    list,
    active: tabs.active === shared.id ? own.id : tabs.active,
  });
  // The other window may have closed the tab that both share.
  return shared.closed === undefined ? split : takeTab(split, connectionId, shared.id, shared);
}

function addTab(state: WorkspaceState, connectionId: string, tab: Tab): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const list = [...tabs.list, tab];
  // A closed tab of the same table may have the same id. The new tab replaces it.
  const closed = tabs.closed.filter(({ id }) => id !== tab.id);
  return withTabs(showConnection(state, connectionId), connectionId, {
    list,
    closed,
    active: tab.id,
  });
}

function withTabs(state: WorkspaceState, connectionId: string, tabs: ConnectionTabs): WorkspaceState {
  return { ...state, tabs: { ...state.tabs, [connectionId]: tabs } };
}
