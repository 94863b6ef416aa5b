import { UnansweredError } from '@trestle/driver-host';
import { isDriverError, type Written } from '@trestle/driver-kit';
import { nothing } from '../access/hourly-budget.ts';
import { mostAttempts, rowsNeeded } from '../access/saved-within.ts';
import { isAppError } from '../errors.ts';
import type { Hold } from '../types.ts';
import type { Admitted } from './call-runner.ts';

/** Runs `work` with a hold. If the driver finds that it needs more rows, takes these, and runs it again. */
export async function withinBudget<T>(
  { budget, call, waitForUser }: Pick<Admitted, 'budget' | 'call' | 'waitForUser'>,
  first: Hold | undefined,
  work: (hold: Hold | undefined) => Promise<T>,
): Promise<T> {
  let hold = first;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(hold);
    } catch (error) {
      const needed = rowsNeeded(error);
      if (!budget || !needed || attempt === mostAttempts) throw error;
      hold?.settle(nothing);
      hold = await waitForUser(() => budget.reserve(needed, call.signal));
    }
  }
}

/**
 * The rows that a failed statement may have written. `unsure`: the driver did not answer, so it may have written all
 * that it was allowed.
 */
export function rowsOfFailure(error: unknown): Written | 'unsure' {
  if (isDriverError(error) && error.code !== 'over_budget' && error.written) return error.written;
  const code = isDriverError(error) || isAppError(error) ? error.code : 'internal';
  return error instanceof UnansweredError || unsure.has(code) ? 'unsure' : nothing;
}

/** Not `connection_failed`: a driver that has sent the statement says so by `written`. */
const unsure = new Set<string>(['cancelled', 'timeout', 'driver_crashed', 'internal']);
