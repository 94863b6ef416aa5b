import type { ColumnValues, RowSet, ShortVectors } from '@trestle/driver-kit';

/** Shortens the vectors of each batch. A map does not need whole vectors, and they are slow to send. */
export async function* shorten(
  batches: AsyncIterable<RowSet>,
  { dimensions: most, unit }: ShortVectors,
): AsyncGenerator<RowSet> {
  const projections = new Map<number, Projection>();
  const short = (values: ColumnValues): ColumnValues => {
    if (values.kind !== 'vectors') return values;
    const { dimensions, present } = values;
    const floats = values.floats.slice();
    if (unit) {
      for (let at = 0; at < floats.length; at += dimensions) normalise(floats.subarray(at, at + dimensions));
    }
    if (dimensions <= most) return { ...values, floats };
    const project = projections.getOrInsertComputed(dimensions, () => createProjection(dimensions, most));
    const projected = new Float32Array(present.length * most);
    for (let row = 0; row < present.length; row++) {
      if (present[row]) project(floats, row * dimensions, projected, row * most);
    }
    return { kind: 'vectors', dimensions: most, floats: projected, present };
  };
  for await (const rows of batches) yield { ...rows, values: rows.values.map(short) };
}

/** A zero vector has no direction, so it is not changed. */
function normalise(vector: Float32Array): void {
  let sum = 0;
  for (let index = 0; index < vector.length; index++) sum += vector[index]! * vector[index]!;
  if (sum === 0) return;
  const scale = 1 / Math.sqrt(sum);
  for (let index = 0; index < vector.length; index++) vector[index]! *= scale;
}

/** Reads the vector at `at` of `from` and writes the shorter vector at `start` of `to`. */
type Projection = (from: Float32Array, at: number, to: Float32Array, start: number) => void;

/**
 * A sparse random projection of density 1/√from (Li, Hastie and Church, 2006). It is always the same for the same
 * lengths, so that batches of one table fit together.
 */
function createProjection(from: number, to: number): Projection {
  const random = pseudoRandom();
  const every = Math.sqrt(from);
  const scale = Math.sqrt(every / to);
  const indexes: number[] = [];
  const signs: number[] = [];
  const starts = new Int32Array(to + 1);
  for (let target = 0; target < to; target++) {
    starts[target] = indexes.length;
    for (let source = 0; source < from; source++) {
      if (random() * every >= 1) continue;
      indexes.push(source);
      signs.push(random() < 0.5 ? -scale : scale);
    }
  }
  starts[to] = indexes.length;
  const sources = Int32Array.from(indexes);
  const weights = Float32Array.from(signs);
  return (given, at, short, start) => {
    for (let target = 0; target < to; target++) {
      let sum = 0;
      const end = starts[target + 1]!;
      for (let entry = starts[target]!; entry < end; entry++)
        sum += given[at + sources[entry]!]! * weights[entry]!;
      short[start + target] = sum;
    }
  };
}

/** Numbers between 0 and 1, always in the same order: Marsaglia's xorshift with 32 bits. */
function pseudoRandom(): () => number {
  let state = 7;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 0x1_0000_0000;
  };
}
