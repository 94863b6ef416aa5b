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

/** An entry as the caller gives it. Missing parts become null. */
export type NewActivity = Pick<ActivityEntry, 'action' | 'outcome'> &
  Partial<Omit<ActivityEntry, 'id' | 'at'>>;

/** All given parts must match. */
export interface ActivityFilter {
  tokenName?: string;
  clientName?: string;
  connectionId?: string;
  action?: string;
  outcome?: ActivityEntry['outcome'];
  /** Text to find in the action, the names, the detail or the digest. */
  text?: string;
  /** ISO dates: `since` is included, `until` is not. */
  since?: string;
  until?: string;
}

export interface ActivityCheck {
  ok: boolean;
  /** The number of rows that passed the check. */
  checked: number;
  problem?: string;
  /** Why the log has no earlier rows, if a damaged `trestle.db` was set aside. */
  begun?: string;
}

/** The size of the logs in `trestle.db`. */
export interface LogUse {
  history: { entries: number; bytes: number };
  activity: { entries: number; bytes: number };
}

export interface Activity {
  /** Stores the entry before it returns. An entry that cannot be stored waits, and `problem` says why. */
  record(entry: NewActivity): void;
  /**
   * Stores the entry when the event loop is free. For calls that changed nothing: their answer need not wait for the
   * disk.
   */
  recordLater(entry: NewActivity): void;
  /** Why calls cannot be logged, or null. Calls of clients are refused while there is a problem. */
  problem(): string | null;
  /** Newest first. `before` is the id of the last entry already seen. */
  list(query: ActivityFilter & { limit: number; before?: number }): ActivityEntry[];
  /** In chunks, newest first, with a header line. */
  exportCsv(filter?: ActivityFilter): Iterable<string>;
  /** Checks the log for changed, removed or moved rows. `anchor.ts` names the rows that the check may miss. */
  verify(): Promise<ActivityCheck>;
}
