import type { Distance } from '@trestle/driver-kit/nearest';
import type { FromExactWorker, ToExactWorker } from './exact-worker.ts';
import { keptNeighbours, type Scan } from './scan.ts';

/** Fills in the neighbours of the rows in `scan.compared`, in a worker. The signal ends the worker. */
export function compareExactly(
  scan: Scan,
  options: {
    vectors: Float32Array;
    dimensions: number;
    distance: Distance;
    signal: AbortSignal;
    onProgress(compared: number): void;
  },
): Promise<void> {
  const { vectors, dimensions, distance, signal } = options;
  if (vectors.length === 0) return Promise.resolve();
  const worker = new Worker(new URL('./exact-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<void>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    worker.onerror = ({ message }) => reject(new Error(message || 'The rows could not be compared'));
    worker.onmessage = ({ data }: MessageEvent<FromExactWorker>) => {
      takeBlock(scan, data);
      options.onProgress(data.from + data.rows);
      if (data.isLast) resolve();
    };
    const message: ToExactWorker = { vectors, dimensions, distance, kept: keptNeighbours };
    worker.postMessage(message, [vectors.buffer]);
  }).finally(() => worker.terminate());
}

function takeBlock(scan: Scan, { from, rows, places, distances }: FromExactWorker): void {
  for (let row = 0; row < rows; row++) {
    const start = row * keptNeighbours;
    const near = Array.from({ length: keptNeighbours }, (_, at) => ({
      id: scan.compared[places[start + at]!],
      distance: distances[start + at]!,
    }));
    // The id is compared with undefined, because it may be the empty text.
    const known = near.flatMap(({ id, distance }) => (id === undefined ? [] : [{ id, distance }]));
    scan.near.set(scan.compared[from + row]!, known);
  }
}
