import { createStore, type StoreApi } from 'zustand/vanilla';
import { records } from './record-hub.ts';
import type { SharedRecord } from './shared-record.ts';

type Items<Item> = Record<string, Item>;

/** Named items that all windows share in one record. The last write of each item wins. */
export interface KeyedRecord<Item> {
  readonly store: StoreApi<{ items: Items<Item> }>;
  /** Null deletes the item. */
  set(id: string, item: Item | null): void;
}

const opened = new Map<string, KeyedRecord<unknown>>();

export function keyedRecord<Item>(key: string, connectionId: string): KeyedRecord<Item> {
  const known = opened.get(key) as KeyedRecord<Item> | undefined;
  if (known) return known;
  const store = createStore<{ items: Items<Item> }>(() => ({ items: itemsIn(records.known(key)) }));
  /** Changes of this window that are not stored yet. */
  let pending = new Map<string, Item | null>();
  let sent = new Map<string, Item | null>();
  const record: SharedRecord = records.own(
    key,
    {
      value() {
        sent = new Map(pending);
        const { items } = store.getState();
        return Object.keys(items).length === 0 ? null : items;
      },
      onStored() {
        for (const [id, item] of sent) if (pending.get(id) === item) pending.delete(id);
      },
      onTheirs(value) {
        store.setState({ items: withChanges(itemsIn<Item>(value), pending) });
        return pending.size > 0;
      },
    },
    connectionId,
  );
  const made: KeyedRecord<Item> = {
    store,
    set(id, item) {
      pending = new Map(pending).set(id, item);
      store.setState(({ items }) => ({ items: withChanges(items, new Map([[id, item]])) }));
      record.changed();
    },
  };
  opened.set(key, made as KeyedRecord<unknown>);
  return made;
}

function withChanges<Item>(items: Items<Item>, changes: Map<string, Item | null>): Items<Item> {
  const next = { ...items };
  for (const [id, item] of changes) {
    if (item === null) delete next[id];
    else next[id] = item;
  }
  return next;
}

function itemsIn<Item>(value: unknown): Items<Item> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Items<Item>) : {};
}
