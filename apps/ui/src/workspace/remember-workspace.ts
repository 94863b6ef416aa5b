import { takeTab } from '../data/window/workspace-state.ts';
import { useWorkspace } from '../data/window/workspace-store.ts';
import { records } from '../shared/records/record-hub.ts';
import { layoutRecord, withOwnLayout } from './layout-record.ts';
import { tabKinds } from './tab-kinds.ts';
import { TabRecord, type TabSource } from './tab-record.ts';
import { legacyKey, tabFrom, tabKey, tabPlace, tabPrefix, workspaceFrom } from './workspace-records.ts';

/**
 * Restores the last state, then stores changes and follows the other windows. Returns a function that ends the storing
 * and the following.
 */
export async function rememberWorkspace(): Promise<() => void> {
  const stored = withOwnLayout(await records.load());
  const isLegacy = stored.some(({ key }) => key === legacyKey);
  useWorkspace.setState(workspaceFrom(stored), true);

  const tabs = new Map<string, TabRecord>();
  let isTaking = false;
  const source: TabSource = {
    get: useWorkspace.getState,
    take(step) {
      isTaking = true;
      try {
        useWorkspace.setState(step, true);
      } finally {
        isTaking = false;
      }
    },
  };
  const layout = layoutRecord();
  const follow = () => {
    const state = useWorkspace.getState();
    const there = new Set<string>();
    for (const [connectionId, { list, closed }] of Object.entries(state.tabs)) {
      for (const tab of [...list, ...closed]) {
        const key = tabKey(connectionId, tab.id);
        there.add(key);
        const known = tabs.get(key);
        if (known && !isTaking && known.isChanged) known.record.changed();
        if (known) continue;
        // A tab that came from the app is already stored.
        const isStored = records.known(key) !== null;
        const added = new TabRecord(source, connectionId, tab.id, isStored ? tab : null);
        tabs.set(key, added);
        if (!isStored) added.record.changed();
      }
    }
    for (const [key, tab] of tabs) {
      if (there.has(key)) continue;
      tabs.delete(key);
      // A connection that is not in the state was deleted, and its records with it. There is nothing to store.
      if (!state.tabs[tab.connectionId]) records.disown(key);
      else if (!isTaking) tab.record.changed();
    }
    layout.follow();
  };
  follow();
  const closers = [
    ...tabKinds.flatMap((kind) => kind.follow?.() ?? []),
    useWorkspace.subscribe(follow),
    records.listen(tabPrefix, (key, value) => {
      const { connectionId, id } = tabPlace(key);
      source.take((state) => takeTab(state, connectionId, id, tabFrom(key, value)));
    }),
  ];
  const flush = () => records.flushNow();
  window.addEventListener('pagehide', flush);
  const stop = () => {
    for (const close of closers) close();
    window.removeEventListener('pagehide', flush);
  };
  if (!isLegacy) return stop;
  try {
    // The legacy record is deleted once all new records are stored.
    await Promise.all(Array.from(tabs.values(), ({ record }) => record.flush()));
    await layout.write();
    await forgetLegacy();
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

async function forgetLegacy(): Promise<void> {
  const record = records.own(legacyKey, { value: () => null, onStored: () => {}, onTheirs: () => false });
  record.changed();
  await record.flush();
  records.disown(legacyKey);
}
