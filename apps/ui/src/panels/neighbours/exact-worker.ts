import { type Distance, type ExactBlock, exactBlock, prepared } from '@trestle/driver-kit/nearest';

export interface ToExactWorker {
  vectors: Float32Array;
  dimensions: number;
  kept: number;
  distance: Distance;
}

export type FromExactWorker = ExactBlock & { isLast: boolean };

/** Rows in one message: few, so that the progress bar moves often enough. */
const blockRows = 32;

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<ToExactWorker>) => void) | null;
  postMessage(message: FromExactWorker, transfer: Transferable[]): void;
};

// A worker in a loop receives no messages, so the window cancels the comparison by ending the worker.
scope.onmessage = ({ data: { vectors, dimensions, kept, distance } }) => {
  const compared = prepared(vectors, dimensions, distance);
  const total = compared.length / dimensions;
  for (let from = 0; from < total; from += blockRows) {
    const block = exactBlock(compared, dimensions, { from, rows: blockRows, kept, distance });
    scope.postMessage({ ...block, isLast: from + blockRows >= total }, [
      block.places.buffer,
      block.distances.buffer,
    ]);
  }
};
