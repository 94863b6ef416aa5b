import { isWithin, type Written } from '@trestle/driver-kit';
import { cancelledError } from '../translate-error.ts';
import type { Hold } from '../types.ts';
import { type Clock, minuteOf, type Spent, type SpentRows } from './spent-rows.ts';

/** The holder of a count. Each key has its own count, and a call must fit into all of them. */
export interface Holder {
  keys: readonly string[];
  /** How many rows of each key may be written in an hour. */
  limit(): Written;
}

export const nothing: Written = { changed: 0, inserted: 0 };

/**
 * Counts the rows that clients write in a sliding hour. A call first takes the rows that it may write, so calls at the
 * same time cannot pass the limit together.
 */
export class HourlyBudget {
  readonly #rows: SpentRows;
  readonly #clock: Clock;
  readonly #hourMs: number;
  readonly #onUnstored: (error: unknown) => void;
  readonly #spent: Map<string, Spent[]>;
  readonly #holds = new Map<Hold, Holder>();
  #released = Promise.withResolvers<void>();

  constructor(parts: {
    rows: SpentRows;
    clock: Clock;
    hourMs: number;
    /** The count could not be stored. It holds until the app stops. */
    onUnstored(error: unknown): void;
  }) {
    this.#rows = parts.rows;
    this.#clock = parts.clock;
    this.#hourMs = parts.hourMs;
    this.#onUnstored = parts.onUnstored;
    this.#spent = parts.rows.takeOver(parts.hourMs);
  }

  /** Takes as much of `wanted` as is free now. */
  take(holder: Holder, wanted: Written): Hold {
    return this.#hold(holder, each(wanted, this.#free(holder), Math.min));
  }

  /**
   * Takes all of `wanted`. Waits for running calls if they may give back enough. Undefined if the limit is reached
   * even then.
   */
  async reserve(holder: Holder, wanted: Written, signal: AbortSignal): Promise<Hold | undefined> {
    for (;;) {
      if (signal.aborted) throw cancelledError();
      const free = this.#free(holder);
      if (isWithin(wanted, free)) return this.#hold(holder, wanted);
      if (
        !isWithin(
          wanted,
          each(
            holder.limit(),
            this.#most(holder, (key) => this.#spentOf(key)),
            minus,
          ),
        )
      ) {
        return undefined;
      }
      await this.#nextRelease(signal);
    }
  }

  /** The user allowed the hour's rows once more. The count begins again, with a call that writes `wanted`. */
  renew(holder: Holder, wanted: Written): Hold {
    for (const key of holder.keys) this.#spent.delete(key);
    this.#store(() => this.#rows.forget(holder.keys));
    const hold = this.#hold(holder, wanted);
    this.#release();
    return hold;
  }

  /** The rows that were written, and in how many milliseconds the oldest of them stop counting. */
  used(holder: Holder): { written: Written; oldestEndsMs: number } {
    const written = this.#most(holder, (key) => this.#spentOf(key));
    const now = this.#clock.sinceBoot();
    const ends = holder.keys.flatMap((key) =>
      this.#recent(key)
        .slice(0, 1)
        .map(({ at }) => at + this.#hourMs - now),
    );
    return { written, oldestEndsMs: Math.max(0, ...ends) };
  }

  /** Counts the calls that did not end as if they had written all their rows. */
  close(): void {
    for (const hold of [...this.#holds.keys()]) hold.settle(hold.amount);
  }

  #hold(holder: Holder, amount: Written): Hold {
    const hold: Hold = {
      amount,
      settle: (written) => {
        if (!this.#holds.delete(hold)) return;
        if (written.changed > 0 || written.inserted > 0) this.#spend(holder, written);
        this.#release();
      },
    };
    this.#holds.set(hold, holder);
    return hold;
  }

  #spend({ keys }: Holder, written: Written): void {
    const now = this.#clock.sinceBoot();
    const minutes = new Map<string, Spent>();
    for (const key of keys) {
      const recent = this.#recent(key);
      let last = recent.at(-1);
      if (!last || last.minute < minuteOf(now)) {
        last = { minute: minuteOf(now), at: now, ...nothing };
        recent.push(last);
      }
      last.at = Math.max(last.at, now);
      last.changed = Math.min(last.changed + written.changed, mostCounted);
      last.inserted = Math.min(last.inserted + written.inserted, mostCounted);
      this.#spent.set(key, recent);
      minutes.set(key, last);
    }
    this.#store(() => this.#rows.store(minutes, now - this.#hourMs));
  }

  #free(holder: Holder): Written {
    const used = this.#most(holder, (key) => each(this.#spentOf(key), this.#heldOf(key), plus));
    return each(holder.limit(), used, minus);
  }

  #most({ keys }: Holder, of: (key: string) => Written): Written {
    return keys.map(of).reduce((most, one) => each(most, one, Math.max), nothing);
  }

  #spentOf(key: string): Written {
    return this.#recent(key).reduce<Written>((sum, one) => each(sum, one, plus), nothing);
  }

  #heldOf(key: string): Written {
    let sum = nothing;
    for (const [{ amount }, { keys }] of this.#holds) if (keys.includes(key)) sum = each(sum, amount, plus);
    return sum;
  }

  #recent(key: string): Spent[] {
    const oldest = this.#clock.sinceBoot() - this.#hourMs;
    return (this.#spent.get(key) ?? []).filter(({ at }) => at > oldest);
  }

  #store(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#onUnstored(error);
    }
  }

  #release(): void {
    this.#released.resolve();
    this.#released = Promise.withResolvers();
  }

  async #nextRelease(signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<void>();
    const leave = () => aborted.resolve();
    signal.addEventListener('abort', leave, { once: true });
    await Promise.race([this.#released.promise, aborted.promise]);
    signal.removeEventListener('abort', leave);
  }
}

/** A count stays a number that SQLite and JavaScript both keep exactly. */
const mostCounted = 1_000_000_000_000;

function each(a: Written, b: Written, join: (a: number, b: number) => number): Written {
  return { changed: join(a.changed, b.changed), inserted: join(a.inserted, b.inserted) };
}

const plus = (a: number, b: number) => a + b;
const minus = (a: number, b: number) => Math.max(0, a - b);
