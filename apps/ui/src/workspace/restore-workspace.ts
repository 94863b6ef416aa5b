import {
  type ConnectionTabs,
  emptyWorkspace,
  type Tab,
  type WorkspaceState,
} from '../data/window/workspace-state.ts';
import { readTab } from './tab-kinds.ts';

/**
 * Reads the state that an earlier window stored, perhaps with another version of Trestle. Data that does not fit is
 * left out.
 */
export function restoreWorkspace(stored: unknown): WorkspaceState {
  if (!isRecord(stored)) return emptyWorkspace;
  const open = Array.isArray(stored.open) ? stored.open.filter((id) => typeof id === 'string') : [];
  const tabs = isRecord(stored.tabs) ? stored.tabs : {};
  return {
    open,
    current: typeof stored.current === 'string' && open.includes(stored.current) ? stored.current : null,
    tabs: Object.fromEntries(Object.entries(tabs).map(([id, value]) => [id, restoreTabs(value)])),
    sidebarWidth: typeof stored.sidebarWidth === 'number' ? stored.sidebarWidth : emptyWorkspace.sidebarWidth,
    sidebarHidden: stored.sidebarHidden === true,
  };
}

function restoreTabs(stored: unknown): ConnectionTabs {
  if (!isRecord(stored) || !Array.isArray(stored.list)) return { list: [], active: null, closed: [] };
  const list = stored.list.flatMap(readTab);
  const closed = Array.isArray(stored.closed) ? stored.closed.flatMap(readTab) : [];
  // The newest closed tab comes first. A tab without a time gets one from its position, so the order stays.
  const dated = closed.map((tab, at) => ({ ...tab, closed: tab.closed ?? closed.length - at }));
  return { list, active: restoreActive(list, stored.active), closed: dated };
}

/** The stored active tab, or else the first one. Null is the home of the connection. */
export function restoreActive(list: Tab[], stored: unknown): string | null {
  if (stored === null) return null;
  return (list.find(({ id }) => id === stored) ?? list[0])?.id ?? null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
