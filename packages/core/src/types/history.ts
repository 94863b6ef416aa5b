import type { Effect } from '@trestle/driver-kit';
import type { Caller } from './caller.ts';

export interface HistoryEntry {
  id: string;
  connectionId: string;
  /** 'person', or the name of the token. */
  caller: string;
  /** Null for the person, and in entries from before token ids were stored. */
  tokenId: string | null;
  text: string;
  /** The length of the whole text, if only its beginning is kept. */
  cutFrom: number | null;
  effect: Effect | null;
  outcome: 'ok' | 'error' | 'cancelled';
  error: string | null;
  rows: number | null;
  durationMs: number;
  at: string;
}

export interface History {
  /** Newest first. `before` is the id of the last entry already seen. */
  search(query: { connectionIds?: string[]; text?: string; limit: number; before?: string }): HistoryEntry[];
  /** Like `search`, but a client sees only its visible connections, and ••• for values that might be masked. */
  searchAs(
    caller: Caller,
    query: { connectionIds?: string[]; text?: string; limit: number; before?: string },
  ): HistoryEntry[];
  remove(id: string): void;
  clear(connectionId?: string): void;
}

/** `history` is counted per connection. `activity` and `exports` have one count for all connections. */
export type RemovalKind = 'history' | 'activity' | 'exports';

export interface Removal {
  /** The number of removed entries. */
  entries: number;
  /** When the last entries were removed. */
  at: string;
}

/** Counts the entries that were removed because there were too many, or because they were too large or too old. */
export interface Removals {
  note(kind: RemovalKind, entries: number, connectionId?: string | null): void;
  of(kind: RemovalKind, connectionId?: string | null): Removal | null;
}
