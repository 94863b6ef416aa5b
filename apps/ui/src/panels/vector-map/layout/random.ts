/** Pseudo-random numbers from a seed, so that a map looks the same each time. */
export interface Random {
  /** A whole number from 0 up to, but not including, `below`. */
  below(below: number): number;
  /** From 0 up to, but not including, 1. */
  unit(): number;
}

/** Marsaglia's xorshift with 32 bits. */
export function createRandom(seed: number): Random {
  let state = seed | 0 || 0x9e3779b9;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return {
    below: (below) => next() % below,
    unit: () => next() / 0x1_0000_0000,
  };
}
