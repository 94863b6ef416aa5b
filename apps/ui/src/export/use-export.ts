import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, toApiError } from '../shared/api.ts';
import { download } from '../shared/download.ts';
import { askProgress, beginExport, cancelExport, type ExportBody } from './export-api.ts';

export type RunningExport =
  | { state: 'running' | 'done' | 'cancelled'; rows: number; total: number | undefined }
  | { state: 'failed'; rows: number; error: unknown };

/** How often the window asks for the progress. */
const pollMs = 250;

/** One export at a time for a tab. It runs in the background, and a strip in the tab shows its progress. */
export function useExport() {
  const [current, setCurrent] = useState<RunningExport | null>(null);
  const running = useRef<AbortController | null>(null);
  const id = useRef<string | null>(null);
  // Closing the tab leaves the download to the browser. It only stops the progress requests.
  useEffect(() => () => running.current?.abort(), []);

  const last = useRef<Parameters<typeof start> | null>(null);

  const start = useCallback(async (body: ExportBody, countRows: (signal: AbortSignal) => Promise<number>) => {
    last.current = [body, countRows];
    const abort = new AbortController();
    running.current = abort;
    let total: number | undefined;
    let rows = 0;
    const show = (state: 'running' | 'done' | 'cancelled') => {
      if (running.current === abort) setCurrent({ state, rows, total });
    };
    countRows(abort.signal).then(
      (count) => {
        total = count;
      },
      // Without the total, the count so far is still shown.
      () => {},
    );
    show('running');
    try {
      const begun = await beginExport(body, abort.signal);
      id.current = begun.id;
      download(begun.file);
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, pollMs));
        if (abort.signal.aborted) return;
        const progress = await askProgress(id.current);
        rows = progress.rows;
        if (progress.state === 'failed') throw toApiErrorOf(progress.error);
        if (progress.state === 'done' || progress.state === 'cancelled') return show(progress.state);
        show('running');
      }
    } catch (error) {
      if (abort.signal.aborted) show('cancelled');
      else if (running.current === abort) setCurrent({ state: 'failed', rows, error });
    } finally {
      if (running.current === abort) id.current = null;
    }
  }, []);

  const cancel = useCallback(() => {
    // Before the download starts, there is only the request that starts it.
    if (id.current) void cancelExport(id.current);
    else running.current?.abort();
  }, []);

  return {
    current,
    start,
    cancel,
    /** Starts the last export again, with a new file. */
    tryAgain: () => void (last.current && start(...last.current)),
    dismiss: () => setCurrent(null),
  };
}

export type Export = ReturnType<typeof useExport>;

function toApiErrorOf(error: { code: string; message: string; hint?: string } | undefined): unknown {
  return error ? new ApiError(error) : toApiError(new Error('The export ended without a reason'));
}
