import { type ExactBlock, exactBlock, unitVectors } from './nearest.ts';

export interface ToExactWorker {
  vectors: Float32Array;
  dimensions: number;
  kept: number;
}

export type FromExactWorker = ExactBlock & { isLast: boolean };

/** Rows between two messages, so that the progress bar moves often enough. */
const blockRows = 32;

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<ToExactWorker>) => void) | null;
  postMessage(message: FromExactWorker, transfer: Transferable[]): void;
};

// The page ends it from outside: a worker in a loop receives no messages.
scope.onmessage = ({ data: { vectors, dimensions, kept } }) => {
  const unit = unitVectors(vectors, dimensions);
  const total = unit.length / dimensions;
  for (let from = 0; from < total; from += blockRows) {
    const block = exactBlock(unit, dimensions, { from, rows: blockRows, kept });
    scope.postMessage({ ...block, isLast: from + blockRows >= total }, [
      block.places.buffer,
      block.distances.buffer,
    ]);
  }
};
