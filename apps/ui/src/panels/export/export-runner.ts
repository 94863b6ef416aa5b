import { ApiError, toApiError } from '../../data/api/api.ts';
import type { BegunExport, ExportBody, ExportProgress } from './export-api.ts';

export type RunningExport =
  | { state: 'running' | 'done' | 'cancelled'; rows: number; total: number | undefined }
  /** The file would not keep some values. The user decides. */
  | { state: 'asking'; rows: number; inexact: string[] }
  | { state: 'failed'; rows: number; error: unknown };

/** The requests of an export, and the pause between two requests for its progress. */
export interface ExportSteps {
  begin(body: ExportBody, signal: AbortSignal): Promise<BegunExport>;
  progress(id: string): Promise<ExportProgress>;
  cancel(id: string): Promise<void>;
  download(file: string): void;
  pause(): Promise<void>;
}

type CountRows = (signal: AbortSignal) => Promise<number>;

/**
 * Runs one export at a time. A second export is refused while the first runs: the strip shows only one export, so the
 * user could not watch or cancel the first any more.
 */
export function createExportRunner(steps: ExportSteps, show: (current: RunningExport | null) => void) {
  let running: { abort: AbortController; id: string | null } | null = null;
  let last: [ExportBody, CountRows] | null = null;

  /** False if an export runs already. */
  function start(body: ExportBody, countRows: CountRows): boolean {
    if (running) return false;
    last = [body, countRows];
    const own = { abort: new AbortController(), id: null };
    running = own;
    void run(own, body, countRows).finally(() => {
      if (running === own) running = null;
    });
    return true;
  }

  async function run(
    own: NonNullable<typeof running>,
    body: ExportBody,
    countRows: CountRows,
  ): Promise<void> {
    const { signal } = own.abort;
    let total: number | undefined;
    let rows = 0;
    countRows(signal).then(
      (count) => {
        total = count;
      },
      // Without the total, the count so far is still shown.
      () => {},
    );
    show({ state: 'running', rows, total });
    try {
      const begun = await steps.begin(body, signal);
      if ('inexact' in begun) return show({ state: 'asking', rows, inexact: begun.inexact });
      own.id = begun.id;
      steps.download(begun.file);
      for (;;) {
        await steps.pause();
        if (signal.aborted) return;
        const progress = await steps.progress(begun.id);
        if (signal.aborted) return;
        rows = progress.rows;
        if (progress.state === 'failed') throw failureOf(progress.error);
        if (progress.state === 'done' || progress.state === 'cancelled') {
          return show({ state: progress.state, rows, total });
        }
        show({ state: 'running', rows, total });
      }
    } catch (error) {
      show(signal.aborted ? { state: 'cancelled', rows, total } : { state: 'failed', rows, error });
    }
  }

  return {
    start,
    cancel() {
      // Before the app has answered the first request, there is no id to cancel by. The request is aborted instead.
      if (running?.id) steps.cancel(running.id).catch(() => {});
      else running?.abort.abort();
    },
    /** Starts the last export again, with a new file. */
    tryAgain() {
      if (last) start(...last);
    },
    /** Starts the last export although its file will not keep some values. */
    exportAnyway() {
      if (last) start({ ...last[0], isInexactKnown: true }, last[1]);
    },
    /** Stops asking for the progress. A download that has begun continues in the browser. */
    leave() {
      running?.abort.abort();
      running = null;
    },
  };
}

function failureOf(error: { code: string; message: string; hint?: string } | undefined): unknown {
  return error ? new ApiError(error) : toApiError(new Error('The export ended without a reason'));
}
