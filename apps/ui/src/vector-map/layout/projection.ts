import { createRandom } from './random.ts';

/** Shortens a row's vector while distances stay nearly the same. */
export interface Projection {
  readonly from: number;
  readonly to: number;
  /** Writes the projected row at `at` of `out`. */
  apply(row: Float32Array, out: Float32Array, at: number): void;
}

/**
 * A sparse random projection of density 1/√from (Li, Hastie and Church, 2006). 256 dimensions keep the
 * neighbours that the PCA needs. Projecting to 64 at once loses every eighth neighbour.
 */
export function createProjection(from: number, most = 256, seed = 7): Projection {
  if (from <= most) return { from, to: from, apply: (row, out, at) => out.set(row, at) };
  const random = createRandom(seed);
  const every = Math.sqrt(from);
  const scale = Math.sqrt(every / most);
  const indexes: number[] = [];
  const signs: number[] = [];
  const starts = new Int32Array(most + 1);
  for (let target = 0; target < most; target++) {
    starts[target] = indexes.length;
    for (let source = 0; source < from; source++) {
      if (random.unit() * every >= 1) continue;
      indexes.push(source);
      signs.push(random.unit() < 0.5 ? -scale : scale);
    }
  }
  starts[most] = indexes.length;
  const sources = Int32Array.from(indexes);
  const weights = Float32Array.from(signs);
  return {
    from,
    to: most,
    apply(row, out, at) {
      for (let target = 0; target < most; target++) {
        let sum = 0;
        const end = starts[target + 1]!;
        for (let entry = starts[target]!; entry < end; entry++)
          sum += row[sources[entry]!]! * weights[entry]!;
        out[at + target] = sum;
      }
    },
  };
}

/** Makes the row's length 1, for the cosine distance. A zero vector has no direction and stays. */
export function normalise(row: Float32Array): void {
  let sum = 0;
  for (let index = 0; index < row.length; index++) sum += row[index]! * row[index]!;
  if (sum === 0) return;
  const scale = 1 / Math.sqrt(sum);
  for (let index = 0; index < row.length; index++) row[index]! *= scale;
}
