export interface VectorFacts {
  dimensions: number;
  norm: number;
  least: number;
  greatest: number;
}

/** What can be said of a vector at a glance; null for an empty one. */
export function vectorFacts(vector: readonly number[]): VectorFacts | null {
  if (vector.length === 0) return null;
  let squares = 0;
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of vector) {
    squares += value * value;
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return { dimensions: vector.length, norm: Math.sqrt(squares), least, greatest };
}

/** Six digits are more than a float32 can tell apart in a sum. */
export function factText(value: number): string {
  return String(Number(value.toPrecision(6)));
}
