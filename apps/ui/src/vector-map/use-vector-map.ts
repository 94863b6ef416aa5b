import type { CountRequest } from '@trestle/driver-kit';
import { useEffect, useRef, useState } from 'react';
import { streamRows } from '../shared/api.ts';
import type { FromWorker } from './layout/worker.ts';
import { MapRows } from './map-rows.ts';

export interface MapQuestion {
  connectionId: string;
  request: CountRequest;
  vector: string;
  key: string[];
  /** Columns that a point may be coloured or named by. */
  columns: string[];
  limit: number;
}

export interface DrawnMap {
  rows: MapRows;
  positions: Float32Array;
}

export type MapState =
  | { stage: 'reading'; read: number; rate: number; drawn?: DrawnMap }
  | { stage: 'laying'; read: number; progress: number; drawn?: DrawnMap }
  | { stage: 'done'; drawn: DrawnMap; more: boolean }
  | { stage: 'cancelled'; drawn?: DrawnMap }
  | { stage: 'failed'; error: unknown };

/** Finished maps by question, so that a look at another tab costs nothing. */
const kept = new Map<string, { drawn: DrawnMap; more: boolean }>();
const mostKept = 8;

/**
 * Reads the rows and lays them out in a worker, both ended by `cancel` and when the map is left. Begins once the
 * total is known: another number of rows is another map.
 */
export function useVectorMap(question: MapQuestion, total: number | undefined) {
  const id = JSON.stringify([question, total]);
  const [state, setState] = useState<MapState>(() => begin(id));
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the id stands for the question
  useEffect(() => {
    if (total === undefined) return;
    const known = kept.get(id);
    if (known) {
      setState({ stage: 'done', ...known });
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setState({ stage: 'reading', read: 0, rate: 0 });
    void drawMap(question, controller.signal, (next) => {
      if (controller.signal.aborted) return;
      if (next.stage === 'done') keep(id, next);
      setState(next);
    });
    return () => controller.abort();
  }, [id, attempt]);
  return {
    state,
    cancel() {
      running.current?.abort();
      setState((before) => ({ stage: 'cancelled', drawn: 'drawn' in before ? before.drawn : undefined }));
    },
    /** Reads everything again. */
    again() {
      kept.delete(id);
      setAttempt((count) => count + 1);
    },
  };
}

function begin(id: string): MapState {
  const known = kept.get(id);
  return known ? { stage: 'done', ...known } : { stage: 'reading', read: 0, rate: 0 };
}

function keep(id: string, { drawn, more }: { drawn: DrawnMap; more: boolean }): void {
  kept.set(id, { drawn, more });
  const oldest = kept.keys().next().value;
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
}

async function drawMap(
  question: MapQuestion,
  signal: AbortSignal,
  tell: (state: MapState) => void,
): Promise<void> {
  const { connectionId, request, vector, key, columns, limit } = question;
  const worker = new Worker(new URL('./layout/worker.ts', import.meta.url), { type: 'module' });
  const failed = new AbortController();
  const over = AbortSignal.any([signal, failed.signal]);
  over.addEventListener('abort', () => worker.terminate(), { once: true });
  const fail = (error: unknown) => {
    if (over.aborted) return;
    failed.abort();
    tell({ stage: 'failed', error });
  };
  const rows = new MapRows(key, columns);
  const asked = { ...request, columns: [...new Set([...key, ...columns, vector])], limit };
  let drawn: DrawnMap | undefined;
  let more = false;
  let isReading = true;
  const started = performance.now();
  const rate = () => Math.round(rows.count / Math.max(0.001, (performance.now() - started) / 1000));
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    drawn = { rows, positions: data.positions };
    if (data.stage === 'done') {
      worker.terminate();
      tell({ stage: 'done', drawn, more });
    } else if (isReading) tell({ stage: 'reading', read: rows.count, rate: rate(), drawn });
    else tell({ stage: 'laying', read: rows.count, progress: data.progress, drawn });
  };
  // Without its worker no row that is read on can be drawn.
  worker.onerror = ({ message }) => fail(new Error(message || 'The map could not be drawn'));
  try {
    const batches = streamRows(connectionId, asked, over);
    let dimensions = 0;
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) {
        more = next.value;
        break;
      }
      if (over.aborted) return;
      const taken = rows.take(next.value, vector);
      if (taken && taken.vectors.length > 0) {
        if (dimensions === 0) {
          dimensions = taken.dimensions;
          // Vectors of both kinds of distance give the same picture unless their lengths carry meaning.
          worker.postMessage({ dimensions, metric: 'cosine' });
        }
        const vectors = taken.vectors.slice();
        worker.postMessage({ vectors }, [vectors.buffer]);
      }
      tell({ stage: 'reading', read: rows.count, rate: rate(), drawn });
    }
    isReading = false;
    if (dimensions === 0) {
      worker.terminate();
      tell({ stage: 'done', drawn: { rows, positions: new Float32Array(0) }, more });
      return;
    }
    tell({ stage: 'laying', read: rows.count, progress: 0, drawn });
    worker.postMessage({ end: true });
  } catch (error) {
    fail(error);
  }
}
