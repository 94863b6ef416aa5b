import { createRandom } from './random.ts';

/**
 * Vectors for tests and benches, similar to embeddings: groups of rows around centres. The rows of a group differ in
 * `rank` directions, and by a little noise.
 */
export function clusteredVectors(rows: number, dimensions: number, groups = 20, rank = 16): Float32Array {
  const random = createRandom(42);
  const normal = () => {
    let sum = 0;
    for (let index = 0; index < 6; index++) sum += random.unit();
    return (sum - 3) / 0.7;
  };
  const fill = (length: number) => Float32Array.from({ length }, normal);
  const centres = Array.from({ length: groups }, () => fill(dimensions));
  const bases = Array.from({ length: groups }, () => fill(rank * dimensions));
  const vectors = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const group = row % groups;
    const inner = fill(rank);
    for (let column = 0; column < dimensions; column++) {
      let value = centres[group]![column]! + 0.1 * normal();
      for (let axis = 0; axis < rank; axis++)
        value += 0.25 * inner[axis]! * bases[group]![axis * dimensions + column]!;
      vectors[row * dimensions + column] = value;
    }
  }
  return vectors;
}
