import { createStore, type StoreApi } from 'zustand/vanilla';
import { records } from '../shared/records/record-hub.ts';
import { type ColumnLayout, isPlain, plainLayout } from './column-layout.ts';

/**
 * The user's arrangement of the columns of one table: the same in every tab and window, and after a restart.
 */
export interface ColumnLayoutStore {
  readonly store: StoreApi<ColumnLayout>;
  change(change: (layout: ColumnLayout) => ColumnLayout): void;
}

const stores = new Map<string, ColumnLayoutStore>();

/** `widths`: column widths that an earlier version of Trestle stored with the tab. Used if no layout is stored. */
export function columnLayoutStore(
  connectionId: string,
  table: string,
  widths: Record<string, number> = {},
): ColumnLayoutStore {
  const key = `columns/${connectionId}/${JSON.stringify(table)}`;
  let store = stores.get(key);
  if (!store) {
    store = createColumnLayout(key, connectionId, widths);
    stores.set(key, store);
  }
  return store;
}

function createColumnLayout(
  key: string,
  connectionId: string,
  widths: Record<string, number>,
): ColumnLayoutStore {
  const known = records.known(key);
  const store = createStore<ColumnLayout>(() => (known ? layoutIn(known) : { ...plainLayout, widths }));
  let isMine = false;
  let sent: ColumnLayout | undefined;
  const record = records.own(
    key,
    {
      value() {
        sent = store.getState();
        return isPlain(sent) ? null : sent;
      },
      onStored() {
        // A change that came during the write is still to be stored.
        if (store.getState() === sent) isMine = false;
      },
      // If two windows arrange the columns at the same time, the later write wins.
      onTheirs(theirs) {
        if (!isMine) store.setState(layoutIn(theirs), true);
        return isMine;
      },
    },
    connectionId,
  );
  if (!known && !isPlain(store.getState())) {
    isMine = true;
    record.changed();
  }
  return {
    store,
    change(change) {
      const before = store.getState();
      const after = change(before);
      if (after === before) return;
      isMine = true;
      store.setState(after, true);
      record.changed();
    },
  };
}

function layoutIn(value: unknown): ColumnLayout {
  const { hidden, pinned, order, widths } = (value ?? {}) as Partial<ColumnLayout>;
  return {
    hidden: Array.isArray(hidden) ? hidden : [],
    pinned: Array.isArray(pinned) ? pinned : null,
    order: Array.isArray(order) ? order : [],
    widths: widths && typeof widths === 'object' ? widths : {},
  };
}
