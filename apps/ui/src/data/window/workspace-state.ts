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
  /** The id of a tab that the next preview replaces. Only this window has it. */
  preview?: string | undefined;
}

/** A tab of any kind. `tab-kind.ts` says what a kind adds to it. */
export interface Tab {
  id: string;
  kind: string;
  /** The time at which the tab was closed. Undefined for an open tab. */
  closed?: number;
  /**
   * The React key of the tab. Defaults to the tab's id. When text moves to a new tab, the new tab gets the key of the
   * old one, so the editor stays mounted. A tab that must show a new state gets a new key, which mounts it again.
   */
  mount?: string;
}

export const emptyWorkspace: WorkspaceState = {
  open: [],
  current: null,
  tabs: {},
  sidebarWidth: 240,
  sidebarHidden: false,
};

const noTabs: ConnectionTabs = { list: [], active: null, closed: [] };
const mostClosed = 10;

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

/** Opens a tab and shows it. A closed tab may have the same id. The new tab replaces it. */
export function openTab(state: WorkspaceState, connectionId: string, tab: Tab): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  return withTabs(showConnection(state, connectionId), connectionId, {
    ...tabs,
    list: [...tabs.list, tab],
    closed: tabs.closed.filter(({ id }) => id !== tab.id),
    active: tab.id,
  });
}

/** Shows the open tab that `isSame` finds. If there is none, opens `tab`. */
export function openOrShow(
  state: WorkspaceState,
  connectionId: string,
  tab: Tab,
  isSame: (other: Tab) => boolean,
): WorkspaceState {
  const known = tabsOf(state, connectionId).list.find(isSame);
  if (!known) return openTab(state, connectionId, tab);
  return activateTab(showConnection(state, connectionId), connectionId, known.id);
}

/**
 * Shows the open tab that `isSame` finds. If there is none, opens `tab` as the preview, in the place of the last preview
 * if nobody wants to keep that.
 */
export function previewTab(
  state: WorkspaceState,
  connectionId: string,
  tab: Tab,
  { isSame, isKept }: { isSame(other: Tab): boolean; isKept(preview: Tab): boolean },
): WorkspaceState {
  const before = tabsOf(state, connectionId);
  const opened = openOrShow(state, connectionId, tab, isSame);
  const { list } = tabsOf(opened, connectionId);
  if (list.length === before.list.length) return opened;
  const at = before.list.findIndex(({ id }) => id === before.preview);
  const last = before.list[at];
  const placed = last && !isKept(last) ? before.list.toSpliced(at, 1, tab) : list;
  return withTabs(opened, connectionId, { ...tabsOf(opened, connectionId), list: placed, preview: tab.id });
}

/** The preview becomes a tab like the others. */
export function keepTab(state: WorkspaceState, connectionId: string, id: string): WorkspaceState {
  const { preview, ...tabs } = tabsOf(state, connectionId);
  return preview === id ? withTabs(state, connectionId, tabs) : state;
}

/**
 * If the tab was active, its neighbour on the right becomes active, or else the one on the left. The tab can be
 * reopened.
 */
export function closeTab(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  now = Date.now(),
): WorkspaceState {
  const { list, closed } = tabsOf(state, connectionId);
  const tab = list.find((other) => other.id === id);
  if (!tab) return state;
  const after = discardTab(state, connectionId, id);
  return withTabs(after, connectionId, {
    ...tabsOf(after, connectionId),
    closed: [{ ...tab, closed: now }, ...closed].slice(0, mostClosed),
  });
}

/** Closes a tab for good: it cannot be reopened. */
export function discardTab(state: WorkspaceState, connectionId: string, id: string): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const { list, active, closed } = tabs;
  const at = list.findIndex((tab) => tab.id === id);
  if (at < 0) return state;
  const rest = list.toSpliced(at, 1);
  const next = active === id ? (rest[Math.min(at, rest.length - 1)]?.id ?? null) : active;
  return withTabs(state, connectionId, {
    ...tabs,
    list: rest,
    active: next,
    closed: closed.filter((tab) => tab.id !== id),
  });
}

/** Opens the tab that was closed last. `open` receives the state without it, and the tab. */
export function reopenTab(
  state: WorkspaceState,
  connectionId: string,
  open: (state: WorkspaceState, tab: Tab) => WorkspaceState,
): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const [last, ...closed] = tabs.closed;
  if (!last) return state;
  const { closed: _, ...tab } = last;
  return open(withTabs(state, connectionId, { ...tabs, closed }), tab);
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

export function changeTab<T extends Tab>(
  state: WorkspaceState,
  connectionId: string,
  id: string,
  change: Partial<Omit<T, 'id' | 'kind'>>,
): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const before = tabs.list.find((tab) => tab.id === id);
  const isNew = Object.entries(change).some(([name, value]) => before?.[name as keyof Tab] !== value);
  if (!before || !isNew) return state;
  const list = tabs.list.map((tab) => (tab.id === id ? { ...tab, ...change } : tab));
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
  return withTabs(state, connectionId, { ...tabs, list, active, closed: closed.slice(0, mostClosed) });
}

/**
 * Two windows changed the same place of a tab. `own` has the changes of this window. It is placed beside the shared tab,
 * and becomes active if the shared tab was active. The mounted content moves with it, so cursor and undo stay. If this
 * window has closed the shared tab, `own` comes last and becomes active.
 */
export function splitTab(state: WorkspaceState, connectionId: string, shared: Tab, own: Tab): WorkspaceState {
  const tabs = tabsOf(state, connectionId);
  const at = tabs.list.findIndex(({ id }) => id === shared.id);
  if (at < 0) return openTab(takeTab(state, connectionId, shared.id, shared), connectionId, own);
  const { mount = shared.id } = tabs.list[at]!;
  const list = tabs.list.toSpliced(at, 1, { ...shared, mount: `${shared.id}-${own.id}` }, { ...own, mount });
  const split = withTabs(state, connectionId, {
    ...tabs,
    list,
    active: tabs.active === shared.id ? own.id : tabs.active,
  });
  // The other window may have closed the tab that both share.
  return shared.closed === undefined ? split : takeTab(split, connectionId, shared.id, shared);
}

function withTabs(state: WorkspaceState, connectionId: string, tabs: ConnectionTabs): WorkspaceState {
  return { ...state, tabs: { ...state.tabs, [connectionId]: tabs } };
}
