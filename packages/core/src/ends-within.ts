import { setTimeout as delay } from 'node:timers/promises';
import { own } from './own-text.ts';
import { cancelledError } from './translate-error.ts';

/** Waits for the work, at most for this time. */
export async function endsWithin(work: Promise<unknown>, ms: number): Promise<'ended' | 'late'> {
  const over = new AbortController();
  const late = delay(ms, 'late' as const, { signal: over.signal }).catch(() => 'late' as const);
  try {
    return await Promise.race([work.then(() => 'ended' as const), late]);
  } finally {
    over.abort();
  }
}

/** Returns the work's result. Throws `cancelled` if the signal fires first. The work itself continues. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(cancelledError(own`The app is stopping`));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
