export interface RandomSource {
  /** 0 ≤ n < limit */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
}

/** Gives the same numbers for the same seed, so that a failure can be reproduced (mulberry32). */
export function randomSource(seed: number): RandomSource {
  let state = seed;
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
  return { below, pick: (from) => from[below(from.length)]! };
}
