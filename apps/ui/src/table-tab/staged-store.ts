import { create } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { records } from '../shared/records/record-hub.ts';
import type { RecordTransport, SharedRecord } from '../shared/records/shared-record.ts';
import { packEdits, unpackEdits } from './packed-edits.ts';
import { countStaged, noEdits, type StagedEdits, stagedRows } from './staged-edits.ts';

type Change = (edits: StagedEdits) => StagedEdits;

/**
 * The staged edits of one table (and partition). All windows show and change the same edits. A change is applied at
 * once and stays pending until it is stored. If another window stored edits first, the change is applied again, to
 * those edits.
 */
export interface StagedStore {
  readonly store: StoreApi<{ edits: StagedEdits }>;
  get(): StagedEdits;
  change(change: Change): void;
  /** Like `change`, but stores the change later. For outcomes of a save: until then they are in the app's journal. */
  settle(change: Change): void;
  /** Resolves when every change is stored. */
  flush(): Promise<void>;
  /** Stores a change through `send`. If `change` returns null, `claim` resolves to false. */
  claim(change: (edits: StagedEdits) => StagedEdits | null, send: RecordTransport['write']): Promise<boolean>;
}

/** How many rows of each table (and partition) have staged edits, by the key of the record. */
export const useStagedCounts = create<{ counts: Record<string, number> }>(() => ({ counts: {} }));

const prefix = 'staged/';
const settleAfterMs = 1000;
const stores = new Map<string, StagedStore>();

export function stagedStore(connectionId: string, table: string, partition: string | undefined): StagedStore {
  const key = keyOf(connectionId, table, partition);
  let store = stores.get(key);
  if (!store) {
    store = createStaged(key, connectionId);
    stores.set(key, store);
  }
  return store;
}

/**
 * Counts the staged rows of tables that this window has not opened. Other windows may change these rows. Returns a
 * function that stops the counting.
 */
export function followStaged(): () => void {
  const stop = records.listen(prefix, countIn);
  for (const { key, value } of records.all(prefix)) countIn(key, value);
  return stop;
}

/** Discards the edits of a table in all its partitions. */
export function discardStaged(connectionId: string, table: string): void {
  // Includes records without staged rows: they may have undone steps, which a redo would restore.
  const keys = new Set([...stores.keys(), ...records.all(prefix).map(({ key }) => key)]);
  for (const key of keysOf(connectionId, table, keys)) {
    const [, partition] = JSON.parse(key.slice(prefix.length + connectionId.length + 1));
    const discard: Change = (now) => (isEmpty(now) ? now : noEdits);
    stagedStore(connectionId, table, partition ?? undefined).change(discard);
  }
}

/**
 * Moves edits that an earlier version stored with the tab to their own record. If that record already has steps, the
 * edits from the tab are dropped. Resolves when the record is stored.
 */
export function adoptStaged(
  connectionId: string,
  table: string,
  partition: string | undefined,
  packed: string,
): Promise<void> {
  const staged = stagedStore(connectionId, table, partition);
  const edits = unpackEdits(packed);
  staged.change((now) => (now.steps.length === 0 ? edits : now));
  return staged.flush();
}

export function stagedIn(counts: Record<string, number>, connectionId: string, table: string): number {
  return keysOf(connectionId, table, Object.keys(counts)).reduce((sum, key) => sum + (counts[key] ?? 0), 0);
}

function createStaged(key: string, connectionId: string): StagedStore {
  const store = createStore(() => ({ edits: unpackEdits(packedIn(records.known(key))) }));
  let pending: Change[] = [];
  /** The edits that this window packed last. Unpacking them again could block the window: they may have megabytes. */
  let packed: { text: string; edits: StagedEdits } | undefined;
  const pack = (edits: StagedEdits) => {
    const form = storedForm(edits);
    packed = { text: form.packed, edits };
    return form;
  };
  const unpack = (value: unknown) => {
    const text = packedIn(value);
    return packed && text === packed.text ? packed.edits : unpackEdits(text);
  };
  let sent = 0;
  const show = (edits: StagedEdits) => {
    store.setState({ edits });
    count(key, countStaged(stagedRows(edits)).total);
  };
  const record: SharedRecord = records.own(
    key,
    {
      value() {
        sent = pending.length;
        const { edits } = store.getState();
        return isEmpty(edits) ? null : pack(edits);
      },
      onStored() {
        pending = pending.slice(sent);
        if (isEmpty(store.getState().edits)) packed = undefined;
      },
      onTheirs(value) {
        show(pending.reduce((edits, change) => change(edits), unpack(value)));
        return pending.length > 0;
      },
    },
    connectionId,
  );
  const apply = (change: Change, afterMs?: number) => {
    const before = store.getState().edits;
    const after = change(before);
    if (after === before) return;
    pending.push(change);
    show(after);
    record.changed(afterMs);
  };
  return {
    store,
    get: () => store.getState().edits,
    change: (change) => apply(change),
    settle: (change) => apply(change, settleAfterMs),
    flush: () => record.flush(),
    claim(change, send) {
      const offer = () => {
        const edits = change(store.getState().edits);
        return edits && pack(edits);
      };
      return record.claim(offer, send);
    },
  };
}

function storedForm(edits: StagedEdits) {
  return { packed: packEdits(edits), count: countStaged(stagedRows(edits)).total };
}

function isEmpty({ steps, undone, saving }: StagedEdits): boolean {
  return steps.length === 0 && undone.length === 0 && saving === null;
}

function keyOf(connectionId: string, table: string, partition: string | undefined): string {
  return `${prefix}${connectionId}/${JSON.stringify([table, partition ?? null])}`;
}

function keysOf(connectionId: string, table: string, keys: Iterable<string>): string[] {
  const start = `${prefix}${connectionId}/[${JSON.stringify(table)},`;
  return Array.from(keys).filter((key) => key.startsWith(start));
}

function packedIn(value: unknown): unknown {
  return (value as { packed?: unknown } | null)?.packed;
}

function countIn(key: string, value: unknown): void {
  count(key, (value as { count?: number } | null)?.count ?? 0);
}

function count(key: string, rows: number): void {
  useStagedCounts.setState(({ counts }) => {
    if ((counts[key] ?? 0) === rows) return {};
    const { [key]: _, ...others } = counts;
    return { counts: rows > 0 ? { ...others, [key]: rows } : others };
  });
}
