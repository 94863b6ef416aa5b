import type { Written } from '@trestle/driver-kit';
import type { Storage } from '../storage/storage.ts';

/** The rows that were written in one minute. `at`: when the last of them were written, on the clock since the start of the machine. */
export interface Spent extends Written {
  minute: number;
  at: number;
}

export interface Clock {
  /** Milliseconds since the machine started. Setting the time of day does not change it. */
  sinceBoot(): number;
  timeOfDay(): number;
}

/** The rows that were written in the last hour, as rows of `trestle.db`. */
export class SpentRows {
  readonly #storage: Storage;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Reads the rows of earlier runs, and stores their times on the clock of this start of the machine. */
  takeOver(hourMs: number): Map<string, Spent[]> {
    const now = this.#clock.sinceBoot();
    return this.#storage.transaction(() => {
      const rows = this.#storage.all(
        'SELECT holder, at, time_of_day, changed, inserted FROM spent_rows ORDER BY rowid',
      );
      this.#storage.run('DELETE FROM spent_rows');
      const found = new Map<string, Spent[]>();
      for (const row of rows) {
        const at = now - this.#ageOf({ at: Number(row.at), timeOfDay: Number(row.time_of_day) });
        if (at + hourMs <= now) continue;
        const key = String(row.holder);
        const list = found.getOrInsert(key, []);
        // Two minutes before a restart may become the same minute.
        const minute = Math.max(minuteOf(at), (list.at(-1)?.minute ?? Number.NEGATIVE_INFINITY) + 1);
        const one = { minute, at, changed: Number(row.changed), inserted: Number(row.inserted) };
        list.push(one);
        this.#insert(key, one);
      }
      return found;
    });
  }

  /** Stores the minute of each key, and removes those before `oldest`. */
  store(spent: ReadonlyMap<string, Spent>, oldest: number): void {
    this.#storage.transaction(() => {
      for (const [key, one] of spent) {
        this.#storage.run(
          'DELETE FROM spent_rows WHERE holder = ? AND (at <= ? OR minute = ?)',
          key,
          oldest,
          one.minute,
        );
        this.#insert(key, one);
      }
    });
  }

  forget(keys: readonly string[]): void {
    this.#storage.transaction(() => {
      for (const key of keys) this.#storage.run('DELETE FROM spent_rows WHERE holder = ?', key);
    });
  }

  #insert(key: string, { minute, at, changed, inserted }: Spent): void {
    const timeOfDay = Math.round(this.#clock.timeOfDay() - (this.#clock.sinceBoot() - at));
    this.#storage.run(
      'INSERT INTO spent_rows (holder, minute, at, time_of_day, changed, inserted) VALUES (?, ?, ?, ?, ?, ?)',
      ...[key, minute, Math.round(at), timeOfDay, changed, inserted],
    );
  }

  /**
   * How long ago rows were written. A time that is later than now is of an earlier start of the machine. Only then the
   * time of day counts, which a user can set. The age is never more than the true one, so a wrong clock gives no
   * new budget within one start of the machine, and never less than the time since the start, so it ends in any case.
   */
  #ageOf({ at, timeOfDay }: { at: number; timeOfDay: number }): number {
    const now = this.#clock.sinceBoot();
    return at <= now ? now - at : Math.max(now, this.#clock.timeOfDay() - timeOfDay);
  }
}

export function minuteOf(at: number): number {
  return Math.floor(at / 60_000);
}
