import { exactBlock, prepared } from '@trestle/driver-kit/nearest';
import { expect, onTestFinished, test, vi } from 'vitest';
import { compareExactly } from './exact-scan.ts';
import type { FromExactWorker, ToExactWorker } from './exact-worker.ts';
import { newScan } from './scan.ts';

/** Compares all rows in this thread. */
class WorkerHere {
  onmessage: (event: { data: FromExactWorker }) => void = () => {};
  postMessage({ vectors, dimensions, distance, kept }: ToExactWorker): void {
    const all = { from: 0, rows: vectors.length / dimensions, kept, distance };
    const block = exactBlock(prepared(vectors, dimensions, distance), dimensions, all);
    this.onmessage({ data: { ...block, isLast: true } });
  }
  terminate(): void {}
}

test('a row whose key is the empty text is a neighbour like any other row', async () => {
  vi.stubGlobal('Worker', WorkerHere);
  onTestFinished(() => void vi.unstubAllGlobals());
  const scan = { ...newScan(), compared: ['', 'b'] };
  await compareExactly(scan, {
    vectors: Float32Array.of(0, 3),
    dimensions: 1,
    distance: 'euclidean',
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  expect(scan.near).toEqual(
    new Map([
      ['', [{ id: 'b', distance: 3 }]],
      ['b', [{ id: '', distance: 3 }]],
    ]),
  );
});
