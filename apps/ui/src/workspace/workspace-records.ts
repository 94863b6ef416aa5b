import type { ConnectionTabs, Tab, WorkspaceState } from '../data/window/workspace-state.ts';
import type { StoredRecord } from '../shared/records/shared-record.ts';
import { restoreActive, restoreWorkspace } from './restore-workspace.ts';
import { readTab } from './tab-kinds.ts';

/** The layout of a window. A new window starts with the layout that was stored last. */
export const layoutKey = 'layout';
/** The whole workspace in one record, as earlier versions stored it. */
export const legacyKey = 'workspace';
export const tabPrefix = 'tab/';

export function tabKey(connectionId: string, id: string): string {
  return `${tabPrefix}${connectionId}/${id}`;
}

export function tabPlace(key: string): { connectionId: string; id: string } {
  const [, connectionId = '', ...id] = key.split('/');
  return { connectionId, id: id.join('/') };
}

/** A tab as it is stored: without its id, which is in the key, and without `mount`, which only this window needs. */
export function storedTab({ id: _, mount: __, closed, ...tab }: Tab): Record<string, unknown> {
  return { ...tab, ...(closed !== undefined && { closed }) };
}

export function tabFrom(key: string, value: unknown): Tab | null {
  if (typeof value !== 'object' || value === null) return null;
  return readTab({ ...value, id: tabPlace(key).id })[0] ?? null;
}

export function layoutOf({ open, current, sidebarWidth, sidebarHidden, tabs }: WorkspaceState) {
  return {
    open,
    current,
    sidebarWidth,
    sidebarHidden,
    tabs: Object.fromEntries(
      Object.entries(tabs).map(([id, { list, active }]) => [
        id,
        { order: list.map((tab) => tab.id), active },
      ]),
    ),
  };
}

/** The workspace from the records. A tab that is not in the layout comes last. */
export function workspaceFrom(records: StoredRecord[]): WorkspaceState {
  const byKey = new Map(records.map(({ key, value }) => [key, value]));
  const legacy = byKey.get(legacyKey);
  if (legacy !== undefined && !byKey.has(layoutKey)) return restoreWorkspace(legacy);
  const layout = (byKey.get(layoutKey) ?? {}) as Partial<ReturnType<typeof layoutOf>>;
  const tabs: Record<string, ConnectionTabs> = {};
  for (const [key, value] of byKey) {
    const tab = key.startsWith(tabPrefix) ? tabFrom(key, value) : null;
    if (!tab) continue;
    const { connectionId } = tabPlace(key);
    tabs[connectionId] ??= { list: [], active: null, closed: [] };
    const known = tabs[connectionId];
    if (tab.closed === undefined) known.list.push(tab);
    else known.closed.push(tab);
  }
  for (const [connectionId, known] of Object.entries(tabs)) {
    const { order = [], active } = layout.tabs?.[connectionId] ?? {};
    const place = new Map(order.map((id, at) => [id, at]));
    const at = ({ id }: Tab) => place.get(id) ?? order.length;
    known.list.sort((a, b) => at(a) - at(b));
    known.closed.sort((a, b) => (b.closed ?? 0) - (a.closed ?? 0));
    known.active = restoreActive(known.list, active);
  }
  return { ...restoreWorkspace(layout), tabs };
}
