import type { MergedTab, TabKind } from '../data/window/tab-kind.ts';
import {
  closeTab,
  discardTab,
  openOrShow,
  openTab,
  reopenTab,
  type Tab,
  type WorkspaceState,
} from '../data/window/workspace-state.ts';
import { queryTabs } from '../panels/query-editor/query-tabs.tsx';
import { designTabs } from '../panels/table-design/design-tabs.tsx';
import { tableTabs } from '../table-tab/index.ts';

/** The kinds of tabs that the window has. A new kind needs its own file and a place in this list. */
export const tabKinds: TabKind[] = [tableTabs, queryTabs, designTabs];

/** Every tab has a known kind: `readTab` leaves out the others. */
export function kindOf({ kind }: Pick<Tab, 'kind'>): TabKind {
  return tabKinds.find((one) => one.kind === kind)!;
}

/** The tab in an array, for `flatMap`. The array is empty if the data does not fit. */
export function readTab(stored: unknown): Tab[] {
  if (typeof stored !== 'object' || stored === null) return [];
  const { id, kind, closed, ...members } = stored as Record<string, unknown>;
  const own = tabKinds.find((one) => one.kind === kind)?.read(members);
  if (typeof id !== 'string' || typeof kind !== 'string' || !own) return [];
  return [{ id, kind, ...own, ...(typeof closed === 'number' && { closed }) }];
}

/**
 * Merges a tab that another window changed. This window may have changed the tab too. `base` is the state that both
 * windows started from. By default the last change of each member wins.
 */
export function mergeTab(base: Tab | null, mine: Tab, theirs: Tab): MergedTab {
  if (mine.kind !== theirs.kind) return { tab: theirs };
  const { id: _, kind: __, closed: ___, ...members } = mine;
  const before = base as Record<string, unknown> | null;
  const changed = Object.entries(members).filter(([name, value]) => value !== before?.[name]);
  const merged: Tab = { ...theirs, ...Object.fromEntries(changed) };
  // `mount` belongs to this window alone.
  if (mine.mount !== undefined) merged.mount = mine.mount;
  return kindOf(mine).merge?.(base, mine, theirs, merged) ?? { tab: merged };
}

/** The tab as it can be open beside the others of its kind. */
export function besideOthers(tab: Tab, others: Tab[]): Tab {
  return (
    kindOf(tab).beside?.(
      tab,
      others.filter(({ kind }) => kind === tab.kind),
    ) ?? tab
  );
}

/** Closes a tab, which can be reopened if its kind says so. */
export function closeTabOfKind(state: WorkspaceState, connectionId: string, tab: Tab): WorkspaceState {
  const canReopen = kindOf(tab).canReopen?.(tab) ?? true;
  return canReopen ? closeTab(state, connectionId, tab.id) : discardTab(state, connectionId, tab.id);
}

/** Opens the tab that was closed last, or shows the open tab of the same thing. */
export function reopenLast(state: WorkspaceState, connectionId: string): WorkspaceState {
  return reopenTab(state, connectionId, (without, tab) => {
    const { isSame } = kindOf(tab);
    if (isSame)
      return openOrShow(without, connectionId, tab, (other) => other.kind === tab.kind && isSame(other, tab));
    return openTab(without, connectionId, besideOthers(tab, without.tabs[connectionId]?.list ?? []));
  });
}
