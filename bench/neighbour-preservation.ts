/**
 * How many of a row's 15 nearest rows by vector are also among its 15 nearest rows on the map, in percent. Returns the
 * mean of `tried` rows.
 */
export function neighbourPreservation(
  vectors: Float32Array,
  dimensions: number,
  /** The position of each vector: x, y, x, y … */
  positions: Float32Array,
  tried = 60,
): number {
  const rows = positions.length / 2;
  const k = 15;
  let kept = 0;
  for (let count = 0; count < tried; count++) {
    const row = Math.floor((count * rows) / tried);
    const cosine = (other: number) => {
      let dot = 0;
      let squares = 0;
      for (let column = 0; column < dimensions; column++) {
        const value = vectors[other * dimensions + column]!;
        dot += vectors[row * dimensions + column]! * value;
        squares += value * value;
      }
      return -dot / Math.sqrt(squares);
    };
    const flat = (other: number) =>
      (positions[row * 2]! - positions[other * 2]!) ** 2 +
      (positions[row * 2 + 1]! - positions[other * 2 + 1]!) ** 2;
    const truth = new Set(nearest(rows, k, row, cosine));
    kept += nearest(rows, k, row, flat).filter((other) => truth.has(other)).length;
  }
  return (100 * kept) / (tried * k);
}

function nearest(rows: number, k: number, own: number, distance: (other: number) => number): number[] {
  const found = Array.from({ length: rows }, (_, other) => other).filter((other) => other !== own);
  const distances = Float64Array.from({ length: rows }, (_, other) => (other === own ? 0 : distance(other)));
  return found.sort((a, b) => distances[a]! - distances[b]!).slice(0, k);
}
