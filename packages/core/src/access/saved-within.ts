import {
  type Change,
  type ChangeOutcome,
  isDriverError,
  type SaveReport,
  type Written,
} from '@trestle/driver-kit';
import type { Hold } from '../types.ts';
import type { CallBudget } from './call-budget.ts';
import { nothing } from './hourly-budget.ts';

interface Means {
  budget: Pick<CallBudget, 'reserve'> | undefined;
  call: { signal: AbortSignal };
  waitForUser<T>(wait: () => Promise<T>): Promise<T>;
}

/** A driver may find more rows at each attempt, because the data changes. */
export const mostAttempts = 5;

/**
 * The reports of a save, with a hold for its rows. If triggers write more rows than the save has, the driver saves
 * nothing and says how many, and the save runs again with a larger hold.
 */
export async function* savedWithin(
  { budget, call, waitForUser }: Means,
  changes: readonly Change[],
  save: (budget: Written | undefined) => AsyncIterable<SaveReport>,
): AsyncGenerator<SaveReport> {
  if (!budget) return yield* save(undefined);
  let needed: Written | undefined = countOf(changes);
  for (let attempt = 1; needed; attempt++) {
    const wanted: Written = needed;
    const hold: Hold = await waitForUser(() => budget.reserve(wanted, call.signal));
    needed = undefined;
    const rows = new SavedRows(changes);
    try {
      for await (const report of save(hold.amount)) {
        rows.note(report);
        const { written: _, ...shown } = report;
        yield shown;
      }
    } catch (error) {
      needed = rowsNeeded(error);
      if (!needed || attempt === mostAttempts) throw error;
    } finally {
      hold.settle(needed ? nothing : rows.written);
    }
  }
}

/** Counts the changes that were made or may have been made. */
class SavedRows {
  readonly #changes: ReadonlyMap<string, Change>;
  readonly #sent = new Set<string>();
  readonly #made = new Set<string>();
  #reported: Written = nothing;

  constructor(changes: readonly Change[]) {
    this.#changes = new Map(changes.map((change) => [change.id, change]));
  }

  note({ sent, outcomes, written }: SaveReport): void {
    for (const id of sent) this.#sent.add(id);
    for (const { id, status } of outcomes as ChangeOutcome[]) {
      this.#sent.delete(id);
      if (status === 'applied' || status === 'unknown') this.#made.add(id);
    }
    if (written) this.#reported = written;
  }

  /** A change that was sent without an outcome counts. */
  get written(): Written {
    const counted = countOf([...this.#made, ...this.#sent].flatMap((id) => this.#changes.get(id) ?? []));
    const { changed, inserted } = this.#reported;
    return { changed: Math.max(changed, counted.changed), inserted: Math.max(inserted, counted.inserted) };
  }
}

function countOf(changes: readonly Change[]): Written {
  const inserted = changes.filter(({ kind }) => kind === 'insert').length;
  return { changed: changes.length - inserted, inserted };
}

export function rowsNeeded(error: unknown): Written | undefined {
  return isDriverError(error) && error.code === 'over_budget' ? error.written : undefined;
}
