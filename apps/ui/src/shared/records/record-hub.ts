import { api } from '../../data/api/api.ts';
import { noteStoring } from '../../data/messages/unstored.ts';
import { type RecordOwner, type RecordTransport, SharedRecord, type StoredRecord } from './shared-record.ts';

type Listener = (key: string, value: unknown) => void;

/** The records without an owner. `records.known` and `records.all` find only these. */
const known = new Map<string, StoredRecord>();
const owned = new Map<string, SharedRecord>();
const listeners = new Map<string, Listener>();

const transport: RecordTransport = {
  get: (key) => api.records.get.query(key),
  write: (change) =>
    noteStoring(change.key, () =>
      api.records.write.mutate(change as Parameters<typeof api.records.write.mutate>[0]),
    ),
};

/** The records that windows share through the app. A part of the window becomes the owner of a record with `own`. */
export const records = {
  /** Reads all records. Must end before the window draws or writes a record. */
  async load(): Promise<StoredRecord[]> {
    const all = await api.records.all.query();
    known.clear();
    for (const record of all) known.set(record.key, record);
    return all;
  },

  known: (key: string): unknown => known.get(key)?.value ?? null,

  all: (prefix: string): StoredRecord[] => [...known.values()].filter(({ key }) => key.startsWith(prefix)),

  /** The listener receives changes of records with this prefix that have no owner. */
  listen(prefix: string, listener: Listener): () => void {
    listeners.set(prefix, listener);
    return () => listeners.delete(prefix);
  },

  own(key: string, owner: RecordOwner, connectionId?: string): SharedRecord {
    const version = known.get(key)?.version ?? 0;
    known.delete(key);
    const record = new SharedRecord({ key, version, transport, owner, connectionId });
    owned.set(key, record);
    return record;
  },

  /** For a deleted record that no part of the window needs any more. */
  disown(key: string): void {
    owned.delete(key);
  },

  /** Handles a change that the event stream reports. */
  changed({ key, version }: { key: string; version: number }): void {
    const record = owned.get(key);
    if (record) record.heard(version);
    else if ((known.get(key)?.version ?? 0) !== version) void readUnowned(key).catch(() => {});
  },

  /** Reads all records again, because this window may have missed events about changed records. */
  async missed(): Promise<void> {
    for (const record of owned.values()) record.refresh();
    const before = [...known.keys()];
    const all = await api.records.all.query();
    const now = new Set(all.map(({ key }) => key));
    for (const record of all) if (!owned.has(record.key)) take(record.key, record);
    for (const key of before) if (!now.has(key) && !owned.has(key)) take(key, null);
  },

  flushNow(): void {
    for (const record of owned.values()) record.flushNow();
  },
};

async function readUnowned(key: string): Promise<void> {
  const record = await api.records.get.query(key);
  if (!owned.has(key)) take(key, record);
}

function take(key: string, record: StoredRecord | null): void {
  const before = known.get(key);
  // A record that is older than the known one must not replace it.
  if (before && record && record.version <= before.version) return;
  if (!before && !record) return;
  if (record) known.set(key, record);
  else known.delete(key);
  for (const [prefix, listener] of listeners) {
    if (key.startsWith(prefix)) listener(key, record?.value ?? null);
  }
}
