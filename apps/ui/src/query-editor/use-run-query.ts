import type { Classification } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { api, data, toApiError } from '../shared/api.ts';
import type { Connection } from '../shared/api-types.ts';

type Outcome = Awaited<ReturnType<typeof data<'runQuery'>>>;

export type Finished =
  | { state: 'done'; outcome: Outcome; limit: number }
  | { state: 'failed'; error: unknown; afterMs: number }
  | { state: 'cancelled'; afterMs: number };

export interface Asking {
  text: string;
  classification: Classification;
}

export type RunQuery = ReturnType<typeof useRunQuery>;

/** Runs one statement at a time. What it does is known before it runs, so that grave ones ask first. */
export function useRunQuery(connection: Connection, limit: number) {
  const [running, setRunning] = useState<{ since: number } | null>(null);
  const [finished, setFinished] = useState<Finished | null>(null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const during = async (work: (signal: AbortSignal) => Promise<Finished | null>) => {
    const own = new AbortController();
    const since = performance.now();
    controller.current = own;
    setRunning({ since });
    let result: Finished | null;
    try {
      result = await work(own.signal);
    } catch (error) {
      const isCancelled = own.signal.aborted || toApiError(error).code === 'cancelled';
      result = isCancelled
        ? { state: 'cancelled', afterMs: performance.now() - since }
        : { state: 'failed', error, afterMs: performance.now() - since };
    }
    if (controller.current !== own) return;
    controller.current = null;
    setRunning(null);
    if (result) setFinished(result);
  };

  const send = async (
    text: string,
    ceiling: Classification['effect'],
    signal: AbortSignal,
  ): Promise<Finished> => {
    const outcome = await data('runQuery', connection.id, { text, limit, ceiling }, signal);
    return { state: 'done', outcome, limit };
  };

  const run = (text: string) => {
    if (controller.current) return;
    return during(async (signal) => {
      const classification = await classify(connection.id, text, signal);
      if (!classification) return send(text, 'read', signal);
      if (needsAnswer(classification, connection.safeMode)) {
        setAsking({ text, classification });
        return null;
      }
      return send(text, classification.effect, signal);
    });
  };

  const answer = (yes: boolean) => {
    setAsking(null);
    if (yes && asking) void during((signal) => send(asking.text, asking.classification.effect, signal));
  };

  return { running, finished, asking, run, answer, cancel: () => controller.current?.abort() };
}

/** Null where the statement cannot be judged: it cannot run either, and its run says why, for the history too. */
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
  // Where nothing may be changed the app refuses by itself, and says so.
  if (safeMode === 'readOnly') return false;
  return effect === 'destroy' || (effect === 'write' && safeMode === 'confirm');
}
