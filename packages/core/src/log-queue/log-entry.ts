import type { ActivityEntry, HistoryEntry } from '../types.ts';

export type NewActivity = Omit<ActivityEntry, 'id'>;
export type NewHistory = Omit<HistoryEntry, 'id'>;

/** Everything that is written down of one call, stored together or not at all. */
export interface LogEntry {
  activity?: Omit<NewActivity, 'at'>;
  history?: Omit<NewHistory, 'at'> | null;
  /** From `LogQueue.begin`: this entry replaces that one. */
  intent?: number;
}

export interface StoredLogEntry {
  activity?: NewActivity;
  history?: NewHistory;
  intent?: number;
}
