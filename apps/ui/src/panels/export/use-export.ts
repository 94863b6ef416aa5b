import { useEffect, useRef, useState } from 'react';
import { ApiError, api, toApiError } from '../../data/api/api.ts';
import { download } from '../../data/api/download.ts';
import { useJob } from '../../data/jobs/use-jobs.ts';
import { beginExport, type ExportBody } from './export-api.ts';

export type ShownExport =
  | { state: 'running'; words: string; done: number; total: number | null }
  | { state: 'done' | 'cancelled'; words: string }
  /** The file would not keep some values. The user decides. */
  | { state: 'asking'; inexact: string[] }
  | { state: 'failed'; words: string; error: unknown };

type Begun =
  | { kind: 'starting' }
  | { kind: 'job'; id: string }
  | { kind: 'over'; shown: Exclude<ShownExport, { state: 'running' }> };

/** One export at a time for a tab: a strip in the tab shows its job. The app continues it without the tab. */
export function useExport() {
  const [begun, setBegun] = useState<Begun | null>(null);
  const last = useRef<ExportBody | null>(null);
  const starting = useRef<AbortController | null>(null);
  const { job, error } = useJob('export', begun?.kind === 'job' ? begun.id : null);
  const current = begun && shownOf(begun, job, error);
  const isRunning = current?.state === 'running';
  // A closed tab starts no export any more.
  useEffect(() => () => starting.current?.abort(), []);

  async function run(body: ExportBody): Promise<void> {
    const abort = new AbortController();
    starting.current = abort;
    last.current = body;
    setBegun({ kind: 'starting' });
    try {
      const answer = await beginExport(body, abort.signal);
      if ('inexact' in answer)
        return setBegun({ kind: 'over', shown: { state: 'asking', inexact: answer.inexact } });
      download(answer.file);
      setBegun({ kind: 'job', id: answer.id });
    } catch (thrown) {
      const shown = abort.signal.aborted
        ? { state: 'cancelled' as const, words: 'Export cancelled' }
        : { state: 'failed' as const, words: 'The export failed', error: thrown };
      setBegun({ kind: 'over', shown });
    }
  }

  return {
    current,
    isRunning,
    /** Refused while an export of the tab runs: the strip shows only one. */
    start: (body: ExportBody) => void (isRunning || run(body)),
    cancel() {
      // Before the app has answered the first request, there is no job to cancel. The request is aborted instead.
      if (begun?.kind === 'job') api.jobs.cancel.mutate({ id: begun.id }).catch(() => {});
      else starting.current?.abort();
    },
    /** Starts the last export again, with a new file. */
    tryAgain: () => void (last.current && run(last.current)),
    /** Starts the last export although its file will not keep some values. */
    exportAnyway: () => void (last.current && run({ ...last.current, isInexactKnown: true })),
    dismiss: () => setBegun(null),
  };
}

export type Export = ReturnType<typeof useExport>;

function shownOf(
  begun: Begun,
  job: ReturnType<typeof useJob<'export'>>['job'],
  error: unknown,
): ShownExport | null {
  if (begun.kind === 'over') return begun.shown;
  // The app was started again, and the browser shows the file as failed.
  if (error && toApiError(error).code === 'not_found')
    return { state: 'failed', words: 'The export failed', error };
  const { outcome, progress } = (begun.kind === 'job' && job) || {};
  if (!outcome) {
    const { words = '', done = 0, total = null } = progress ?? {};
    return { state: 'running', words: `Exporting ${words || 'rows'}`, done, total };
  }
  const { how, words } = outcome;
  if (how === 'complete') return { state: 'done', words };
  if (how === 'cancelled') return { state: 'cancelled', words };
  return { state: 'failed', words, error: outcome.error && new ApiError(outcome.error) };
}
