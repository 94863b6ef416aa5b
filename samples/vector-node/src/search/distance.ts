import { float32 } from '../store/float32.ts';

/** Smaller is nearer, in single precision as the server has it. */
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

/** Only a cosine distance has one. */
export function certaintyOf(distance: number): number {
  return 1 - Math.fround(distance) / 2;
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths === 0 ? 0 : Math.max(-1, Math.min(1, dot(a, b) / lengths));
}

function dot(a: readonly number[], b: readonly number[]): number {
  let total = 0;
  for (let index = 0; index < a.length; index++) total += (a[index] ?? 0) * (b[index] ?? 0);
  return total;
}

function sum(values: readonly number[], part: (value: number, index: number) => number): number {
  return values.reduce((total, value, index) => total + part(value, index), 0);
}
