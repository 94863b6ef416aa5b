import { unprocessable } from '../errors.ts';
import { float32 } from '../store/float32.ts';

export interface TargetsInput {
  targetVectors?: string[];
  combinationMethod?: string;
  weights?: Record<string, number>;
}

/**
 * Combines an object's distances to several target vectors. Null for an object that lacks one of these vectors. With
 * the method `minimum`: null only for an object that lacks all of them.
 */
export type Join = (distances: (number | null)[]) => number | null;

/** `all`: the distances of every candidate. Relative scores need them. */
export function joinOf(targets: TargetsInput | undefined, all: (number | null)[][]): Join {
  const names = targets?.targetVectors ?? [];
  const weights = () => names.map((name) => weightOf(targets, name));
  switch (targets?.combinationMethod ?? 'minimum') {
    case 'sum':
      return weighted(names.map(() => 1));
    case 'average':
      return weighted(names.map(() => 1 / names.length));
    case 'manualWeights':
      return weighted(weights());
    case 'relativeScore':
      return relative(weights(), all);
    default:
      return smallest;
  }
}

function weightOf(targets: TargetsInput | undefined, name: string): number {
  const weight = targets?.weights?.[name];
  if (weight === undefined)
    throw unprocessable(`number of weights does not match number of targets: ${name}`);
  return weight;
}

function smallest(distances: (number | null)[]): number | null {
  const known = distances.filter((distance) => distance !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function weighted(weights: number[]): Join {
  return (distances) => {
    let total = 0;
    for (const [index, distance] of distances.entries()) {
      if (distance === null) return null;
      total += distance * (weights[index] ?? 0);
    }
    return float32(total);
  };
}

/** A loop, since `Math.min(...numbers)` overflows the stack with 200,000 numbers. */
export function rangeOf(numbers: number[]): { low: number; high: number } {
  let [low, high] = [Infinity, -Infinity];
  for (const number of numbers) {
    low = Math.min(low, number);
    high = Math.max(high, number);
  }
  return { low, high };
}

function relative(weights: number[], all: (number | null)[][]): Join {
  const ranges = weights.map((_, target) => {
    const known = all.map((distances) => distances[target] ?? null).filter((one) => one !== null);
    return rangeOf(known);
  });
  const join = weighted(weights);
  return (distances) =>
    join(
      distances.map((distance, target) => {
        const { low, high } = ranges[target] ?? { low: 0, high: 1 };
        return distance === null ? null : high === low ? 0 : (distance - low) / (high - low);
      }),
    );
}
