import type { JobEnd, JobProgress } from '@trestle/core';
import type { OperationInput } from '../control/core-operations.ts';
import type { Ask } from './with-core.ts';

export interface CommandJob {
  id: string;
  report(progress: JobProgress): void;
  end(how: JobEnd, words: string): void;
}

/** The time between two reports to the app. A cancel in a window is noticed at the next report. */
const everyMs = 500;

/** Runs the work of a command as a job, which windows list. A window's cancel aborts `cancel`. */
export async function inJob<T>(
  ask: Ask,
  about: OperationInput<'jobs.hold'>,
  cancel: AbortController,
  work: (job: CommandJob) => Promise<T>,
): Promise<T> {
  const id = await ask('jobs.hold', about);
  const gone = new AbortController();
  ask('jobs.attend', id, gone.signal).catch(() => {});
  let progress: JobProgress = { done: 0, total: null, words: '' };
  let outcome: { how: JobEnd; words: string } = { how: 'cancelled', words: 'Cancelled' };
  const report = async () => {
    const goesOn = await ask('jobs.report', { id, ...progress }).catch(() => true);
    if (goesOn === false) cancel.abort();
  };
  const timer = setInterval(report, everyMs);
  try {
    return await work({
      id,
      report: (now) => {
        progress = now;
      },
      end: (how, words) => {
        outcome = { how, words };
      },
    });
  } catch (error) {
    if (!cancel.signal.aborted)
      outcome = { how: 'failed', words: String((error as Error).message).slice(0, 500) };
    throw error;
  } finally {
    clearInterval(timer);
    await report();
    await ask('jobs.end', { id, ...outcome }).catch(() => {});
    gone.abort();
  }
}
