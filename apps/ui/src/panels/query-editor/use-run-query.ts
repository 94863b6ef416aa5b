import type { Classification } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { api, data, toApiError } from '../../data/api/api.ts';
import type { Connection } from '../../data/api/api-types.ts';

type Outcome = Awaited<ReturnType<typeof data<'runQuery'>>>;

export type Finished = { text: string } & (
  | { state: 'done'; outcome: Outcome }
  | { state: 'failed'; error: unknown; afterMs: number }
  | { state: 'cancelled'; afterMs: number }
);

/** The finished statements of one run. */
export interface Batch {
  finished: Finished[];
  /**
   * How many statements did not run; 0 until the batch ends. A batch ends early at the first statement that failed, was
   * cancelled or was declined by the user. The statements after it do not run, and neither does a declined statement.
   */
  left: number;
}

export interface Asking {
  text: string;
  classification: Classification;
}

export interface Running {
  since: number;
  /** The number of the running statement, from 1. */
  at: number;
  of: number;
}

export type RunQuery = ReturnType<typeof useRunQuery>;

/**
 * Runs statements one after the other. Each statement is classified before it runs, because the window asks the user
 * before some statements (see `needsAnswer`).
 */
export function useRunQuery(connection: Connection, limit: number) {
  const [running, setRunning] = useState<Running | null>(null);
  const [batch, setBatch] = useState<Batch | null>(null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const controller = useRef<AbortController | null>(null);
  const answered = useRef<(yes: boolean) => void>(undefined);
  useEffect(
    () => () => {
      controller.current?.abort();
      answered.current?.(false);
    },
    [],
  );

  const ask = (about: Asking) => {
    setRunning(null);
    setAsking(about);
    return new Promise<boolean>((resolve) => {
      answered.current = resolve;
    });
  };

  /** Null if the user declined. */
  const runOne = async (text: string, place: Omit<Running, 'since'>, signal: AbortSignal) => {
    let since = performance.now();
    setRunning({ since, ...place });
    try {
      const classification = await classify(connection.id, text, signal);
      if (classification && needsAnswer(classification, connection.safeMode)) {
        if (!(await ask({ text, classification }))) return null;
        since = performance.now();
        setRunning({ since, ...place });
      }
      const ceiling = classification?.effect ?? 'read';
      const outcome = await data('runQuery', connection.id, { text, limit, ceiling }, signal);
      return { state: 'done', text, outcome } satisfies Finished;
    } catch (error) {
      const afterMs = performance.now() - since;
      const isCancelled = signal.aborted || toApiError(error).code === 'cancelled';
      const end = isCancelled ? { state: 'cancelled' as const } : { state: 'failed' as const, error };
      return { ...end, text, afterMs } satisfies Finished;
    }
  };

  const runAll = async (texts: string[]): Promise<void> => {
    if (controller.current) return;
    const own = new AbortController();
    controller.current = own;
    const finished: Finished[] = [];
    for (const [index, text] of texts.entries()) {
      const one = await runOne(text, { at: index + 1, of: texts.length }, own.signal);
      if (controller.current !== own) return;
      if (one) finished.push(one);
      const isEnd = one?.state !== 'done';
      // If the user declines the first statement, the results of the last run stay.
      if (finished.length > 0)
        setBatch({ finished: [...finished], left: isEnd ? texts.length - finished.length : 0 });
      if (isEnd) break;
    }
    controller.current = null;
    setRunning(null);
  };

  const answer = (yes: boolean) => {
    setAsking(null);
    answered.current?.(yes);
  };

  return {
    running,
    batch,
    asking,
    run: (text: string) => runAll([text]),
    runAll,
    answer,
    cancel: () => controller.current?.abort(),
  };
}

/**
 * Null if the statement cannot be classified. Such a statement probably fails. It is sent all the same: the error
 * says why, and the history gets an entry.
 */
async function classify(
  connectionId: string,
  text: string,
  signal: AbortSignal,
): Promise<Classification | null> {
  try {
    return await api.tables.classify.query({ connectionId, text }, { signal });
  } catch (error) {
    const { code } = toApiError(error);
    if (code === 'query_failed' || code === 'refused' || code === 'invalid_argument') return null;
    throw error;
  }
}

export function needsAnswer({ effect }: Classification, safeMode: Connection['safeMode']): boolean {
  // On a read-only connection the user is not asked: the app refuses a statement that writes, and says why.
  if (safeMode === 'readOnly') return false;
  return effect === 'destroy' || (effect === 'write' && safeMode === 'confirm');
}
