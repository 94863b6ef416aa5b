export interface VectorFacts {
  dimensions: number;
  norm: number;
  least: number;
  greatest: number;
}

/** Simple facts about a vector; null for an empty one. */
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

/** A float32 has about seven exact digits. Six digits hide its rounding error: 0.10000000149 is shown as 0.1. */
export function factText(value: number): string {
  return String(Number(value.toPrecision(6)));
}
