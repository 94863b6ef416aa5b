/** One line of the table: what Trestle takes beside what the bare thing takes, measured in turns. */
export interface Figure {
  name: string;
  unit: 'ms' | 'MB' | 'tokens' | '%';
  subject: number[];
  baseline: number[];
  /** What the baseline is, in a few words. */
  against: string;
  goal?: Goal;
}

/** `most` milliseconds by itself, times the baseline, or milliseconds above it; always of the medians. */
export interface Goal {
  of: 'subject' | 'ratio' | 'difference';
  most: number;
}

export interface Benchmark {
  name: string;
  run(): Promise<Figure[]>;
}

/** Thrown where this machine lacks what the benchmark needs: it is named in the output, and no failure. */
export class Skipped extends Error {}

/**
 * Runs both in turns, so that other load on the machine falls on both alike. The first `warmUp` turns are not
 * kept: they fill the caches of disk and compiler.
 */
export async function inTurns<Names extends string>(
  options: { rounds: number; warmUp?: number },
  subjects: Record<Names, () => Promise<number> | number>,
): Promise<Record<Names, number[]>> {
  const names = Object.keys(subjects) as Names[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Names, number[]>;
  for (let round = -(options.warmUp ?? 1); round < options.rounds; round++) {
    for (const name of names) {
      const value = await subjects[name]();
      if (round >= 0) taken[name].push(value);
    }
  }
  return taken;
}

/** Milliseconds that the work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
