import type { Neighbours } from './neighbours.ts';

/** Which rows pull at each other, and how strongly (0 to 1). */
export interface Graph {
  heads: Int32Array;
  tails: Int32Array;
  weights: Float32Array;
}

/** The weighted graph of UMAP (McInnes, Healy and Melville, 2018): each row has the same total pull. */
export function fuzzyGraph({ k, indexes, distances }: Neighbours, rows: number): Graph {
  const pulls = new Map<number, number>();
  const target = Math.log2(Math.max(2, k));
  for (let row = 0; row < rows; row++) {
    const far = Float64Array.from(distances.subarray(row * k, (row + 1) * k), Math.sqrt);
    const nearest = far.find((distance) => distance > 0 && Number.isFinite(distance)) ?? 0;
    const spread = spreadOf(far, nearest, target);
    for (let at = 0; at < k; at++) {
      const neighbour = indexes[row * k + at]!;
      if (neighbour < 0) continue;
      const beyond = far[at]! - nearest;
      const pull = beyond <= 0 || spread === 0 ? 1 : Math.exp(-beyond / spread);
      const key = Math.min(row, neighbour) * rows + Math.max(row, neighbour);
      const other = pulls.get(key) ?? 0;
      // Either of two rows that hold on to each other suffices.
      pulls.set(key, pull + other - pull * other);
    }
  }
  return graphOf(pulls, rows);
}

function spreadOf(far: Float64Array, nearest: number, target: number): number {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let spread = 1;
  for (let round = 0; round < 48; round++) {
    let sum = 0;
    for (const distance of far) {
      if (Number.isFinite(distance))
        sum += distance <= nearest ? 1 : Math.exp(-(distance - nearest) / spread);
    }
    if (Math.abs(sum - target) < 1e-5) break;
    if (sum > target) high = spread;
    else low = spread;
    spread = high === Number.POSITIVE_INFINITY ? spread * 2 : (low + high) / 2;
  }
  return spread;
}

function graphOf(pulls: Map<number, number>, rows: number): Graph {
  const graph = {
    heads: new Int32Array(pulls.size),
    tails: new Int32Array(pulls.size),
    weights: new Float32Array(pulls.size),
  };
  let at = 0;
  for (const [key, weight] of pulls) {
    graph.heads[at] = Math.floor(key / rows);
    graph.tails[at] = key % rows;
    graph.weights[at] = weight;
    at++;
  }
  return graph;
}
