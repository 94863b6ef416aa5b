import { setTimeout as delay } from 'node:timers/promises';
import { isDriverError } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { own } from '../own-text.ts';
import type { Admitted } from './call-runner.ts';

/**
 * Runs `work`. If the driver finds that a table has changed since its columns were read, `work` runs again with the mask
 * that is right now.
 */
export async function onCurrentMask<T>(given: Admitted, work: (at: Admitted) => Promise<T>): Promise<T> {
  for (let at = given, attempt = 1; ; attempt++) {
    try {
      return await work(at);
    } catch (error) {
      at = await renewedAfter(error, at, attempt);
    }
  }
}

/** The same for a stream, as long as it has given nothing. */
export async function* streamOnCurrentMask<T>(
  given: Admitted,
  work: (at: Admitted) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  for (let at = given, attempt = 1; ; attempt++) {
    let hasBegun = false;
    try {
      for await (const item of work(at)) {
        hasBegun = true;
        yield item;
      }
      return;
    } catch (error) {
      if (hasBegun) throw error;
      at = await renewedAfter(error, at, attempt);
    }
  }
}

async function renewedAfter(error: unknown, at: Admitted, attempt: number): Promise<Admitted> {
  if (!isDriverError(error) || error.code !== 'mask_outdated') throw error;
  if (attempt === mostAttempts) throw changesOften();
  if (attempt > 1) await delay(settlingMs, undefined, { signal: at.call.signal });
  return at.refreshed();
}

const mostAttempts = 4;

/** Longer than a driver's mark stays unsure after a change. */
const settlingMs = 1_200;

function changesOften(): AppError {
  return new AppError({
    code: 'query_failed',
    message: own`The data changes again and again, so Trestle could not check it for masked kinds of value. Nothing was changed`,
    hint: own`Run it again later, or name the rows by their key.`,
  });
}
