import type { Neighbours } from './neighbours.ts';

/** The pairs of rows that pull each other together, and how strongly (0 to 1). */
export interface Graph {
  heads: Int32Array;
  tails: Int32Array;
  weights: Float32Array;
}

/**
 * The weighted graph of UMAP (McInnes, Healy and Melville, 2018): each row pulls its
 * neighbours with about the same total strength.
 */
export function fuzzyGraph(neighbours: Neighbours, rows: number): Graph {
  const { k, indexes } = neighbours;
  const pulls = pullsOf(neighbours, rows);
  const heads = new Int32Array(rows * k);
  const tails = new Int32Array(rows * k);
  const weights = new Float32Array(rows * k);
  let edges = 0;
  for (let row = 0; row < rows; row++) {
    for (let at = row * k; at < (row + 1) * k; at++) {
      const neighbour = indexes[at]!;
      if (neighbour < 0) continue;
      const back = placeOf(row, indexes, neighbour * k, k);
      // Two rows that are neighbours of each other share one edge. The row with the lower index adds it.
      if (back >= 0 && neighbour < row) continue;
      const pull = pulls[at]!;
      const other = back >= 0 ? pulls[back]! : 0;
      heads[edges] = Math.min(row, neighbour);
      tails[edges] = Math.max(row, neighbour);
      // The fuzzy union of the two directions: a strong pull in one direction is enough for a strong edge.
      weights[edges] = pull + other - pull * other;
      edges++;
    }
  }
  return {
    heads: heads.slice(0, edges),
    tails: tails.slice(0, edges),
    weights: weights.slice(0, edges),
  };
}

/** How strongly each row pulls each of its neighbours, in the order of `indexes`. */
function pullsOf({ k, indexes, distances }: Neighbours, rows: number): Float64Array {
  const pulls = new Float64Array(rows * k);
  const target = Math.log2(Math.max(2, k));
  for (let row = 0; row < rows; row++) {
    const far = Float64Array.from(distances.subarray(row * k, (row + 1) * k), Math.sqrt);
    const nearest = far.find((distance) => distance > 0 && Number.isFinite(distance)) ?? 0;
    const spread = spreadOf(far, nearest, target);
    for (let at = 0; at < k; at++) {
      if (indexes[row * k + at]! < 0) continue;
      const beyond = far[at]! - nearest;
      pulls[row * k + at] = beyond <= 0 || spread === 0 ? 1 : Math.exp(-beyond / spread);
    }
  }
  return pulls;
}

function placeOf(row: number, indexes: Int32Array, start: number, k: number): number {
  for (let at = start; at < start + k; at++) if (indexes[at] === row) return at;
  return -1;
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
