import { useWorkspace } from '../data/window/workspace-store.ts';
import { records } from '../shared/records/record-hub.ts';
import type { StoredRecord } from '../shared/records/shared-record.ts';
import { layoutKey, layoutOf } from './workspace-records.ts';

/** A reloaded page keeps its own layout, even if other windows changed the stored one. */
export function withOwnLayout(stored: StoredRecord[]): StoredRecord[] {
  const own = sessionStorage.getItem(layoutKey);
  if (own === null || !stored.some(({ key }) => key === layoutKey)) return stored;
  return stored.map((record) => (record.key === layoutKey ? { ...record, value: JSON.parse(own) } : record));
}

/** The record of the layout. It stores the layout of the window that last changed its layout or was reloaded. */
export function layoutRecord() {
  const text = () => JSON.stringify(layoutOf(useWorkspace.getState()));
  let kept = JSON.stringify(records.known(layoutKey));
  let sent = '';
  let own = '';
  const record = records.own(layoutKey, {
    value: () => {
      sent = text();
      return JSON.parse(sent);
    },
    onStored: () => {
      kept = sent;
    },
    onTheirs: () => text() !== kept,
  });
  return {
    follow() {
      const now = text();
      if (now !== own) sessionStorage.setItem(layoutKey, now);
      own = now;
      if (now !== kept) record.changed();
    },
    write: () => {
      record.changed();
      return record.flush();
    },
  };
}
