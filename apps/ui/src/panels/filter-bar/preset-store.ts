import { createStore, type StoreApi } from 'zustand/vanilla';
import { records } from '../../shared/records/record-hub.ts';
import { type FilterPreset, type PresetChange, presetsIn } from './preset-list.ts';

/** The presets of one table. All windows show and change the same presets. */
export interface PresetStore {
  readonly store: StoreApi<{ presets: FilterPreset[] }>;
  change(change: PresetChange): void;
}

const stores = new Map<string, PresetStore>();

export function presetStore(connectionId: string, table: string): PresetStore {
  const key = `presets/${connectionId}/${JSON.stringify(table)}`;
  let known = stores.get(key);
  if (!known) {
    known = createPresets(key, connectionId);
    stores.set(key, known);
  }
  return known;
}

function createPresets(key: string, connectionId: string): PresetStore {
  const store = createStore(() => ({ presets: presetsIn(records.known(key)) }));
  let pending: PresetChange[] = [];
  let sent = 0;
  const record = records.own(
    key,
    {
      value() {
        sent = pending.length;
        const { presets } = store.getState();
        return presets.length === 0 ? null : { presets };
      },
      onStored() {
        pending = pending.slice(sent);
      },
      // The changes of this window that are not stored yet must not be lost.
      onTheirs(value) {
        store.setState({ presets: pending.reduce((presets, change) => change(presets), presetsIn(value)) });
        return pending.length > 0;
      },
    },
    connectionId,
  );
  return {
    store,
    change(change) {
      pending.push(change);
      store.setState({ presets: change(store.getState().presets) });
      record.changed();
    },
  };
}
