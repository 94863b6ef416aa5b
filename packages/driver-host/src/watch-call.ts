import { type Call, DriverError } from '@trestle/driver-kit';

/**
 * A call of the link. `timeoutMs` starts when the call is sent to the driver. In an export or a sample it applies to
 * each batch. A save and an import ignore it: their requests have `rowTimeoutMs`.
 */
export type LinkCall = Call & {
  timeoutMs?: number;
  /** Tells the user what to do when the time is up. */
  lateHint?: string;
  /**
   * Gets true when a serial driver begins the call, and false at the end of the call. With a parallel driver, `onTurn`
   * is called only for a save or an import.
   */
  onTurn?(isMine: boolean): void;
};

/**
 * Calls `onStop` at most once: when the caller cancels or the time is up. Returns a function that removes all
 * listeners and timers: a caller's signal may outlive thousands of calls.
 */
export function watchCall(
  call: LinkCall,
  driverName: string,
  onStop: (error: DriverError) => void,
): () => void {
  const { signal, timeoutMs, lateHint = 'Narrow the request, or allow it more time.' } = call;
  let timer: NodeJS.Timeout | undefined;
  const stop = (error: DriverError) => {
    release();
    onStop(error);
  };
  const onAbort = () => stop(cancelled());
  const release = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  };
  signal.addEventListener('abort', onAbort);
  if (timeoutMs !== undefined) {
    const late = () => stop(timedOut(driverName, timeoutMs, lateHint));
    timer = setTimeout(late, Math.min(timeoutMs, longestTimer));
  }
  return release;
}

/** The `lateHint` for opening or testing a connection: there is no request that the user could narrow. */
export const databaseIsLate = 'Check that the database runs, can be reached and is not busy. Then try again.';

/** Settles like the promise, or rejects with `cancelled` when the signal fires. A cancel does not stop the work. */
export function untilCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(cancelled());
  }
  const { promise: raced, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = () => reject(cancelled());
  signal.addEventListener('abort', onAbort, { once: true });
  promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  return raced;
}

export function cancelled(): DriverError {
  return new DriverError({ code: 'cancelled', message: 'The request was cancelled.' });
}

function timedOut(driverName: string, timeoutMs: number, hint: string): DriverError {
  const seconds = timeoutMs / 1000;
  return new DriverError({
    code: 'timeout',
    message: `The ${driverName} driver did not finish within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    hint,
  });
}

/** Node fires a longer timer after 1 ms. */
const longestTimer = 2 ** 31 - 1;
