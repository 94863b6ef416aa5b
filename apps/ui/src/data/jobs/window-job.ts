import { api } from '../api/api.ts';
import { pageId } from '../events/event-stream.ts';

type Spec = Omit<Parameters<typeof api.jobs.hold.mutate>[0], 'page'>;
type Progress = Omit<Parameters<typeof api.jobs.report.mutate>[0], 'id'>;
type Outcome = Omit<Parameters<typeof api.jobs.end.mutate>[0], 'id'>;

/** The time between two reports to the app. Work that takes less is not listed. */
const everyMs = 500;

/**
 * Lists work of this window as a job of the app. Calls `cancel` when a window cancels the job. The work does not
 * depend on the list: it continues if the app cannot be reached.
 */
export function windowJob(spec: Spec, cancel: () => void) {
  let progress: Progress = { done: 0, total: null, words: '' };
  let held: Promise<string> | undefined;
  const tell = async () => {
    held ??= api.jobs.hold.mutate({ ...spec, page: pageId });
    if (!(await api.jobs.report.mutate({ id: await held, ...progress })) && isRunning) cancel();
  };
  let isRunning = true;
  const timer = setInterval(() => void tell().catch(() => {}), everyMs);
  return {
    report(now: Progress): void {
      progress = now;
    },
    end(outcome: Outcome): void {
      if (!isRunning) return;
      isRunning = false;
      clearInterval(timer);
      if (!held) return;
      void tell()
        .then(async () => api.jobs.end.mutate({ id: await held!, ...outcome }))
        .catch(() => {});
    },
  };
}

/** The outcome of work that threw. */
export function endOfError(error: unknown, signal: AbortSignal): Outcome {
  if (signal.aborted) return { how: 'cancelled', words: 'Cancelled' };
  const words = error instanceof Error ? error.message : String(error);
  return { how: 'failed', words: words.slice(0, 500) };
}
