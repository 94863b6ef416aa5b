import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import { own } from '../own-text.ts';
import type { Storage } from '../storage/storage.ts';
import { whyUnwritable } from '../storage/storage-errors.ts';
import {
  type LogEntry,
  type NewHistory,
  type StoredActivity,
  type StoredLogEntry,
  toStored,
} from './log-entry.ts';

interface Parts {
  storage: Storage;
  /** `activity` and `history` write inside the queue's transaction. */
  activity: { append(entries: readonly StoredActivity[]): () => void };
  history: { insert(entry: NewHistory): string | null };
  events: EventHub;
  log: Logger;
  /** The time between two attempts to write entries that could not be written. */
  retryMs: number;
}

/** The number of entries that may wait in memory while none can be stored, for example because the disk is full. */
const maxWaiting = 1_000;

/**
 * Only this queue adds entries to history and activity, apart from the rescue of a damaged `trestle.db`. Stores them in
 * the order in which they arrive. If entries cannot be stored, up to `maxWaiting` of them wait, and `problem` says why.
 * Later ones are lost and counted.
 */
export class LogQueue {
  readonly #parts: Parts;
  #waiting: StoredLogEntry[] = [];
  #lost = 0;
  #problem: string | null = null;
  #closed = false;
  #soon: NodeJS.Immediate | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Why entries cannot be stored, or null. */
  get problem(): string | null {
    return this.#problem;
  }

  /**
   * Stores the intent of a call that may change something. If the app is killed before the call ends, `entry` is what
   * the log says about it. Returns the id of the intent, for the final entry. Throws if the intent cannot be stored:
   * the call must not run then.
   */
  begin(entry: LogEntry): number {
    const stored = JSON.stringify(toStored(entry));
    this.assertWritable();
    try {
      return this.#parts.storage.run('INSERT INTO call_intents (entry) VALUES (?)', stored).lastInsertRowid;
    } catch (error) {
      this.#fail(error);
      throw unlogged(whyUnwritable(error));
    }
  }

  /**
   * If the last write failed, tries again, and throws if that fails too: a call that cannot be logged must not run.
   */
  assertWritable(): void {
    if (this.#problem !== null) this.flush();
    if (this.#problem !== null) throw unlogged(this.#problem);
  }

  /**
   * Stores all waiting entries, then this entry. Returns the id of the history entry, or null if no history entry was
   * stored.
   */
  write(entry: LogEntry): string | null {
    this.#add(entry);
    return this.flush();
  }

  /** Stores the entry when the event loop is free, so the answer does not wait for the disk. */
  writeSoon(entry: LogEntry): void {
    this.#add(entry);
    this.#soon ??= setImmediate(() => this.flush());
  }

  /**
   * Stores the waiting entries. Call it before reading history or activity. Never throws. Returns the history id of the
   * last entry, or null.
   */
  flush(): string | null {
    clearImmediate(this.#soon);
    this.#soon = undefined;
    if (this.#closed || (this.#waiting.length === 0 && this.#problem === null)) return null;
    try {
      return this.#store();
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  /** Logs the calls whose end was lost by a kill or a power cut, from their intents. Call it once, at the start. */
  recover(): void {
    for (const row of this.#parts.storage.all('SELECT id, entry FROM call_intents ORDER BY id')) {
      this.#waiting.push({ ...(JSON.parse(String(row.entry)) as StoredLogEntry), intent: Number(row.id) });
    }
    this.flush();
  }

  /**
   * Stores the waiting entries before the storage closes. An entry that is still waiting, or comes later, is lost. The
   * app's log file then says how many.
   */
  close(): void {
    this.flush();
    clearTimeout(this.#retry);
    this.#closed = true;
    const unstored = this.#waiting.length + this.#lost;
    if (unstored > 0) this.#lose(unstored);
  }

  #add(entry: LogEntry): void {
    if (this.#closed) this.#lose(1);
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(toStored(entry));
    else this.#lost++;
  }

  #lose(entries: number): void {
    this.#parts.log.error({ entries, problem: this.#problem }, 'Calls could not be logged');
  }

  #store(): string | null {
    const { storage, activity, history, events } = this.#parts;
    const entries = this.#lost === 0 ? this.#waiting : [...this.#waiting, lostEntries(this.#lost)];
    let historyId: string | null = null;
    const commit = storage.transaction(() => {
      // After a failed `begin`, the queue may be empty. A trial write then shows whether entries can be stored again.
      if (entries.length === 0) storage.run('DELETE FROM call_intents WHERE id = ?', this.#writeTrial());
      for (const { intent } of entries) {
        if (intent !== undefined) storage.run('DELETE FROM call_intents WHERE id = ?', intent);
      }
      // `write` returns the history id of the last entry. If the entry of `write` was lost, `lostEntries` comes last. It
      // has no history, so `write` returns null and not the id of an older entry.
      for (const entry of entries) historyId = entry.history ? history.insert(entry.history) : null;
      return activity.append(entries.flatMap((entry) => entry.activity ?? []));
    });
    commit();
    this.#waiting = [];
    this.#lost = 0;
    this.#become(null);
    for (const connectionId of new Set(entries.flatMap((entry) => entry.history?.connectionId ?? []))) {
      events.emit({ type: 'historyChanged', connectionId });
    }
    return historyId;
  }

  #writeTrial(): number {
    return this.#parts.storage.run("INSERT INTO call_intents (entry) VALUES ('')").lastInsertRowid;
  }

  #fail(error: unknown): void {
    const problem = whyUnwritable(error);
    if (problem !== this.#problem)
      this.#parts.log.error({ problem: String(error) }, 'Calls cannot be logged');
    this.#become(problem);
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.flush(), this.#parts.retryMs).unref();
  }

  #become(problem: string | null): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.#parts.events.emit({ type: 'logProblemChanged', problem });
  }
}

function lostEntries(count: number): StoredLogEntry {
  return toStored({
    activity: {
      action: 'log',
      outcome: 'error',
      detail:
        count === 1
          ? 'One entry before this one could not be stored and is lost'
          : `${count} entries before this one could not be stored and are lost`,
    },
  });
}

function unlogged(problem: string): AppError {
  return new AppError({
    code: 'storage_failed',
    message: `The call was not run, because Trestle cannot write it to its log: ${problem}`,
    hint: own`Make room on the disk that holds Trestle's data, or make it writable, and try again.`,
  });
}
