import type { Effect } from '@trestle/driver-kit';
import type { Caller } from './caller.ts';

export interface HistoryEntry {
  id: string;
  connectionId: string;
  /** 'person', or the name of the token. */
  caller: string;
  text: string;
  /** The length of the whole text, where only its beginning is kept. */
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
  /** The same for a caller: of the connections it may know of, with what is masked for it masked. */
  searchAs(
    caller: Caller,
    query: { connectionIds?: string[]; text?: string; limit: number; before?: string },
  ): HistoryEntry[];
  remove(id: string): void;
  clear(connectionId?: string): void;
}

/** `history` is per connection; `activity` and `exports` are of AI clients on all connections. */
export type RemovalKind = 'history' | 'activity' | 'exports';

export interface Removal {
  /** How many so far. */
  entries: number;
  /** When the last ones went. */
  at: string;
}

/** Counts of entries that the limits of the settings removed. */
export interface Removals {
  note(kind: RemovalKind, entries: number, connectionId?: string | null): void;
  of(kind: RemovalKind, connectionId?: string | null): Removal | null;
}
