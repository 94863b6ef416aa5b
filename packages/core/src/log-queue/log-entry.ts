import type { ActivityEntry, HistoryEntry, NewActivity } from '../types.ts';

export type StoredActivity = Omit<ActivityEntry, 'id'>;
export type NewHistory = Omit<HistoryEntry, 'id'>;

/** Everything that is logged about one call or other event. It is stored in one transaction. */
export interface LogEntry {
  activity?: NewActivity;
  history?: Omit<NewHistory, 'at' | 'cutFrom'> | null;
  /** The id of the entry that `LogQueue.begin` stored before the call. The new entry replaces that one. */
  intent?: number;
}

export interface StoredLogEntry {
  activity?: StoredActivity;
  history?: NewHistory;
  intent?: number;
}

/** Adds the current time, because the entry may be stored later. Cuts the texts to a length that can be kept. */
export function toStored({ activity, history, intent }: LogEntry): StoredLogEntry {
  const at = new Date().toISOString();
  return {
    ...(activity && { activity: shortActivity({ at, ...noActivity, ...activity }) }),
    ...(history && { history: shortHistory({ at, cutFrom: null, ...history }) }),
    ...(intent !== undefined && { intent }),
  };
}

const noActivity = {
  tokenName: null,
  clientName: null,
  connectionId: null,
  detail: null,
  durationMs: null,
  rows: null,
  digest: null,
};

/** The limit for a name. A client chooses its own, which may be megabytes long. */
const keptName = 200;
/** The limit for an error or a detail. An error may quote a statement of many megabytes. */
const keptSentence = 4_000;
/** The limit for one statement. Without it, forty statements of 10 MB would take 400 MB. */
const keptText = 64 * 1024;

function shortActivity(entry: StoredActivity): StoredActivity {
  return {
    ...entry,
    action: shorten(entry.action, keptName),
    tokenName: entry.tokenName && shorten(entry.tokenName, keptName),
    clientName: entry.clientName && shorten(entry.clientName, keptName),
    detail: entry.detail && shorten(entry.detail, keptSentence),
  };
}

function shortHistory(entry: NewHistory): NewHistory {
  const { text, error } = entry;
  const cut = text.length > keptText && { text: text.slice(0, keptText), cutFrom: text.length };
  return { ...entry, ...cut, error: error && shorten(error, keptSentence) };
}

function shorten(text: string, kept: number): string {
  return text.length > kept ? `${text.slice(0, kept)}…` : text;
}
