import { float32 } from '../store/float32.ts';

/** Smaller is nearer. In single precision, as in Weaviate. */
export function distanceBetween(metric: string, a: readonly number[], b: readonly number[]): number {
  switch (metric) {
    case 'dot':
      return float32(-dot(a, b));
    case 'l2-squared':
      return float32(sum(a, (value, index) => (value - (b[index] ?? 0)) ** 2));
    case 'manhattan':
      return float32(sum(a, (value, index) => Math.abs(value - (b[index] ?? 0))));
    case 'hamming':
      return sum(a, (value, index) => (value === b[index] ? 0 : 1));
    default:
      return float32(1 - cosine(a, b));
  }
}

/** Only a cosine distance has a certainty. */
export function certaintyOf(distance: number): number {
  return 1 - Math.fround(distance) / 2;
}

/** Weaviate normalises both vectors in single precision, and then multiplies them. */
function cosine(a: readonly number[], b: readonly number[]): number {
  return Math.max(-1, Math.min(1, Math.fround(dot(normalised(a), normalised(b)))));
}

function normalised(vector: readonly number[]): readonly number[] {
  const known = unitVectors.get(vector);
  if (known) return known;
  const length = Math.fround(Math.sqrt(Math.fround(dot(vector, vector))));
  const unit = length === 0 ? vector : vector.map((value) => Math.fround(value / length));
  unitVectors.set(vector, unit);
  return unit;
}

const unitVectors = new WeakMap<readonly number[], readonly number[]>();

function dot(a: readonly number[], b: readonly number[]): number {
  let total = 0;
  for (let index = 0; index < a.length; index++) total += (a[index] ?? 0) * (b[index] ?? 0);
  return total;
}

function sum(values: readonly number[], part: (value: number, index: number) => number): number {
  return values.reduce((total, value, index) => total + part(value, index), 0);
}
