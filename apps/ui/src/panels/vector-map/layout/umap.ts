import type { Graph } from './fuzzy-graph.ts';
import { createRandom } from './random.ts';

/** For each edge, this many random points push its ends away. The two ends take turns. */
const pushes = 5;
const firstRate = 1;

/**
 * Moves connected points together, and pushes them away from random points. With a = b = 1, UMAP's curve for the
 * distance d is 1 / (1 + d²), and needs no `pow`. Calls `onFrame` every `frameEvery` epochs, but not after the last.
 * Changes `positions` (x, y, x, y …) in place.
 */
export function layOut(
  positions: Float32Array,
  graph: Graph,
  options: { epochs: number; onFrame?(epoch: number): void; frameEvery?: number },
): void {
  const { heads, tails, weights } = graph;
  const { epochs, frameEvery = 5 } = options;
  const points = positions.length / 2;
  if (points < 2 || heads.length === 0) return;
  const random = createRandom(5);
  const strongest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  // An edge with a larger weight is processed more often: at each epoch `due` grows by the weight, relative to the
  // strongest weight. When `due` reaches 1, the edge is processed.
  const due = new Float32Array(heads.length);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const rate = firstRate * (1 - epoch / epochs);
    for (let edge = 0; edge < heads.length; edge++) {
      due[edge]! += weights[edge]! / strongest;
      if (due[edge]! < 1) continue;
      due[edge]! -= 1;
      const head = heads[edge]! * 2;
      const tail = tails[edge]! * 2;
      pull(positions, head, tail, rate);
      for (let count = 0; count < pushes; count++) {
        push(positions, count % 2 === 0 ? head : tail, random.below(points) * 2, rate);
      }
    }
    if ((epoch + 1) % frameEvery === 0 && epoch + 1 < epochs) options.onFrame?.(epoch + 1);
  }
}

function pull(positions: Float32Array, head: number, tail: number, rate: number): void {
  const x = positions[head]! - positions[tail]!;
  const y = positions[head + 1]! - positions[tail + 1]!;
  const squared = x * x + y * y;
  if (squared === 0) return;
  const strength = -2 / (1 + squared);
  const moveX = clip(strength * x) * rate;
  const moveY = clip(strength * y) * rate;
  positions[head]! += moveX;
  positions[head + 1]! += moveY;
  positions[tail]! -= moveX;
  positions[tail + 1]! -= moveY;
}

function push(positions: Float32Array, point: number, other: number, rate: number): void {
  if (point === other) return;
  const x = positions[point]! - positions[other]!;
  const y = positions[point + 1]! - positions[other + 1]!;
  const squared = x * x + y * y;
  const strength = 2 / ((0.001 + squared) * (1 + squared));
  // If both points are at the same position, the index of the pushed point decides its move.
  positions[point]! += (squared === 0 ? ((point % 7) - 3) * 0.1 : clip(strength * x)) * rate;
  positions[point + 1]! += (squared === 0 ? ((point % 5) - 2) * 0.1 : clip(strength * y)) * rate;
}

function clip(value: number): number {
  return value > 4 ? 4 : value < -4 ? -4 : value;
}
