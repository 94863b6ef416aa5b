import { streamRows } from '../../data/api/api.ts';
import type { FromWorker } from './layout/worker.ts';
import type { DrawnMap, MapQuestion, MapState } from './map-question.ts';
import { MapRows } from './map-rows.ts';

/**
 * The driver host shortens longer vectors to this many dimensions by a random projection. The layout then computes 64
 * principal components. A random projection to 64 dimensions would lose about one neighbour in eight.
 */
const mostDimensions = 256;

/** Reads the rows and lays them out in a worker. The signal ends the reading and the worker. */
export async function drawMap(
  question: MapQuestion,
  signal: AbortSignal,
  tell: (state: MapState) => void,
): Promise<void> {
  const { connectionId, request, vector, metric, key, columns, limit, sample } = question;
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
  const asked = {
    ...request,
    columns: [...new Set([...key, ...columns, vector])],
    vectors: [vector],
    shortVectors: { dimensions: mostDimensions, unit: metric === 'cosine' },
    limit,
    sample,
  };
  let drawn: DrawnMap | undefined;
  let more = false;
  let isReading = true;
  const at = Date.now();
  const started = performance.now();
  const rate = () => Math.round(rows.read / Math.max(0.001, (performance.now() - started) / 1000));
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    drawn = { rows, positions: data.positions };
    if (data.stage === 'done') {
      worker.terminate();
      tell({ stage: 'done', drawn, more, at });
    } else if (isReading) tell({ stage: 'reading', read: rows.read, rate: rate(), drawn });
    else tell({ stage: 'laying', read: rows.count, progress: data.progress, drawn });
  };
  // Without the worker, further rows cannot be drawn.
  worker.onerror = ({ message }) => fail(new Error(message || 'The map could not be drawn'));
  try {
    const batches = streamRows(connectionId, asked, over);
    let dimensions = 0;
    for (let next = await batches.next(); ; next = await batches.next()) {
      if (next.done) {
        more = next.value || sample;
        break;
      }
      if (over.aborted) return;
      const taken = rows.take(next.value, vector);
      if (taken && taken.vectors.length > 0) {
        if (dimensions === 0) {
          dimensions = taken.dimensions;
          worker.postMessage({ dimensions });
        }
        const vectors = taken.vectors.slice();
        worker.postMessage({ vectors }, [vectors.buffer]);
      }
      tell({ stage: 'reading', read: rows.read, rate: rate(), drawn });
    }
    isReading = false;
    if (dimensions === 0) {
      worker.terminate();
      tell({ stage: 'done', drawn: { rows, positions: new Float32Array(0) }, more, at });
      return;
    }
    tell({ stage: 'laying', read: rows.count, progress: 0, drawn });
    worker.postMessage({ end: true });
  } catch (error) {
    fail(error);
  }
}
