import { useEffect, useRef, useState } from 'react';
import { counted } from '../../controls/text/counted.ts';
import { endOfError, windowJob } from '../../data/jobs/window-job.ts';
import { runScan, type ScanProgress, type ScanQuestion } from './run-scan.ts';

type ScanState =
  | { stage: 'asked' }
  | ScanProgress
  | { stage: 'cancelled'; last: ScanProgress | undefined }
  | { stage: 'failed'; error: unknown };

/** Finished scans by question, so that a user who returns to the view need not wait for a second scan. */
const kept = new Map<string, ScanProgress>();
const mostKept = 8;

/** Up to this many rows are compared when the view opens. If there are more, the user starts the comparison. */
const atOnceRows = 1000;

/**
 * Runs the scan of a question. A scan of up to `atOnceRows` rows starts once the total is known, a larger one when the
 * user starts it. The total is part of the question: if it changes, the previous scan is no longer shown.
 */
export function useScan(question: ScanQuestion, total: number | undefined) {
  const id = JSON.stringify([question, total]);
  const [state, setState] = useState<{ id: string; state: ScanState }>({ id, state: { stage: 'asked' } });
  const [wanted, setWanted] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController>(undefined);
  const cancel = (scan: AbortController | undefined) => {
    scan?.abort();
    setState((before) => ({
      id,
      state: { stage: 'cancelled', last: 'scan' in before.state ? before.state : undefined },
    }));
  };
  const begins = total !== undefined && (total <= atOnceRows || wanted === id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id identifies the question
  useEffect(() => {
    const show = (next: ScanState) => setState({ id, state: next });
    const known = kept.get(id);
    if (known) return show(known);
    show({ stage: 'asked' });
    if (!begins) return;
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const job = windowJob(
      { kind: 'neighbours', connectionId: question.connectionId, table: question.request.table },
      () => cancel(controller),
    );
    runScan(question, signal, (progress) => {
      if (signal.aborted) return;
      if (progress.stage === 'done') keep(id, progress);
      job.report(figuresOf(progress, total));
      show({ ...progress });
    })
      .then(() => job.end({ how: 'complete', words: 'The rows are compared' }))
      .catch((error: unknown) => {
        job.end(endOfError(error, signal));
        if (!signal.aborted) show({ stage: 'failed', error });
      });
    return () => controller.abort();
  }, [id, begins, attempt]);
  return {
    state: state.id === id ? state.state : ({ stage: 'asked' } as const),
    isWaiting: !begins,
    begin: () => setWanted(id),
    /**
     * For a button that changes the question and starts the scan. The scan of the new question must not wait for
     * a second press.
     */
    beginNext: (next: ScanQuestion) => setWanted(JSON.stringify([next, total])),
    cancel: () => cancel(running.current),
    /** Reads and compares the rows again. */
    again() {
      kept.delete(id);
      setWanted(id);
      setAttempt((count) => count + 1);
    },
  };
}

export type ScanRun = ReturnType<typeof useScan>;

function figuresOf({ stage, scan, compared }: ScanProgress, total: number | undefined) {
  const rows = scan.compared.length;
  return stage === 'reading'
    ? { done: rows, total: total ?? null, words: `${counted(rows, 'row')} read` }
    : {
        done: compared,
        total: rows,
        words: `${compared.toLocaleString('en')} of ${counted(rows, 'row')} compared`,
      };
}

/** The result so far. */
export function progressOf(state: ScanState): ScanProgress | undefined {
  if ('scan' in state) return state;
  return state.stage === 'cancelled' ? state.last : undefined;
}

function keep(id: string, progress: ScanProgress): void {
  kept.set(id, progress);
  const oldest = kept.keys().next().value;
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}
