/** One line of the table: Trestle's values and the baseline's values. */
export interface Figure {
  name: string;
  unit: 'ms' | 'MB' | 'kB' | 'tokens' | '%' | 'nodes' | 'listeners';
  subject: number[];
  baseline: number[];
  /** The baseline in a few words. */
  against: string;
  /** A goal from `goals.ts`, if the project has one for this figure. */
  goal?: Goal;
}

/**
 * `most` is an amount (`subject`), a multiple of the baseline (`ratio`), or an amount above the baseline
 * (`difference`). The goal applies to the medians.
 */
export interface Goal {
  of: 'subject' | 'ratio' | 'difference';
  most: number;
}

export interface Benchmark {
  name: string;
  /** True if the benchmark takes too long for a run of all benchmarks. */
  byNameOnly?: boolean;
  run(): Promise<Figure[]>;
}

/**
 * Thrown if this machine lacks something that the benchmark needs. The output says what is missing, and the run
 * does not fail.
 */
export class Skipped extends Error {}

/**
 * Runs the subjects alternately, so that other load on the machine affects all of them. The first `warmUp` rounds
 * are dropped: they fill the caches of disk and compiler.
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

/** How many milliseconds the work takes. */
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
