export interface ActivityEntry {
  id: number;
  at: string;
  /** `authenticate`, `query`, `browse`, … */
  action: string;
  tokenName: string | null;
  clientName: string | null;
  connectionId: string | null;
  outcome: 'ok' | 'error' | 'denied' | 'cancelled';
  detail: string | null;
  durationMs: number | null;
  rows: number | null;
  /** SHA-256 of the statement, never its text. */
  digest: string | null;
}

/** An entry as it is handed in: parts that are left out are null. */
export type NewActivity = Pick<ActivityEntry, 'action' | 'outcome'> &
  Partial<Omit<ActivityEntry, 'id' | 'at'>>;

/** Every part that is given must fit. */
export interface ActivityFilter {
  tokenName?: string;
  clientName?: string;
  connectionId?: string;
  action?: string;
  outcome?: ActivityEntry['outcome'];
  /** Found in the action, the names, the detail or the digest. */
  text?: string;
  /** ISO dates: from, and up to but without. */
  since?: string;
  until?: string;
}

export interface ActivityCheck {
  ok: boolean;
  /** How many rows were found right. */
  checked: number;
  problem?: string;
}

/** The size of the logs in `trestle.db`. */
export interface LogUse {
  history: { entries: number; bytes: number };
  activity: { entries: number; bytes: number };
}

export interface Activity {
  /** Stored before it returns. An entry that cannot be stored waits, and `problem` says why. */
  record(entry: NewActivity): void;
  /** Stored once the event loop is free, for what changed nothing: its answer need not wait for the disk. */
  recordLater(entry: NewActivity): void;
  /** Why calls cannot be logged; null while they can. Calls of clients are refused as long. */
  problem(): string | null;
  /** Newest first. `before` is the id of the last entry already seen. */
  list(query: ActivityFilter & { limit: number; before?: number }): ActivityEntry[];
  /** In pieces, newest first, with a head line. */
  exportCsv(filter?: ActivityFilter): Iterable<string>;
  /** Goes through the whole chain: a row changed, removed or moved shows, the last one included. */
  verify(): Promise<ActivityCheck>;
}
