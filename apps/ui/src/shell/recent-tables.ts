import { tabsOf, type WorkspaceState } from '../data/window/workspace-state.ts';
import { useWorkspace } from '../data/window/workspace-store.ts';
import { isTable } from '../table-tab/index.ts';

export interface RecentTable {
  connectionId: string;
  table: string;
}

const most = 8;

/** The tables that this window showed last, the newest first. */
let recent: RecentTable[] = [];

useWorkspace.subscribe((state) => {
  const shown = tableInView(state);
  if (!shown || isSame(shown, recent[0])) return;
  recent = [shown, ...recent.filter((other) => !isSame(shown, other))].slice(0, most);
});

/** The tables that were shown before the one in view. */
export function recentTables(state: WorkspaceState): RecentTable[] {
  const shown = tableInView(state);
  return recent.filter((other) => !isSame(other, shown));
}

function tableInView(state: WorkspaceState): RecentTable | undefined {
  const { current } = state;
  if (current === null) return undefined;
  const { list, active } = tabsOf(state, current);
  const tab = list.find(({ id }) => id === active);
  return tab && isTable(tab) ? { connectionId: current, table: tab.table } : undefined;
}

function isSame(one: RecentTable, other: RecentTable | undefined): boolean {
  return one.connectionId === other?.connectionId && one.table === other.table;
}
