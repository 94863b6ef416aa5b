import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { test } from 'vitest';

/**
 * The number of new inputs for a target of weight 1 in the long form. `npm run proofs -- fuzz` sets it. `npm test` uses
 * the short form.
 */
const long = process.env.TRESTLE_FUZZ_CASES;
const seed = Number(process.env.TRESTLE_FUZZ_SEED ?? 20_261_116);

export interface Target<Input> {
  /** Also the name of the file with saved inputs: `tests/fuzz/corpus/<name>.json`. */
  name: string;
  /** The property, in a few words. */
  holds: string;
  /** Values that JSON can represent, so that an input that fails can be saved. */
  inputs: fc.Arbitrary<Input>;
  property(input: Input): void | Promise<void>;
  /** The number of new inputs in the short form. They should take about a second. */
  short: number;
  /** The cost of one input. The long form divides its number of inputs by this cost. */
  weight?: number;
}

/**
 * Tests the saved inputs first, then new inputs from the seed. A failure prints the smallest failing input that was
 * found. Save this input in the target's corpus with the reason, and fix the cause.
 */
export function fuzz<Input>({ name, holds, inputs, property, short, weight = 1 }: Target<Input>): void {
  const saved = savedInputs<Input>(name);
  const cases = long === undefined ? short : Math.ceil(Number(long) / weight);
  test(`${name}, ${saved.length} saved and ${cases} new inputs: ${holds}`, {
    timeout: 120_000 + cases * 50,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => property(input)),
      {
        seed,
        numRuns: cases + saved.length,
        examples: saved.map((input) => [input]),
      },
    );
  });
}

function savedInputs<Input>(name: string): Input[] {
  const file = join(import.meta.dirname, 'corpus', `${name}.json`);
  if (!existsSync(file)) return [];
  return (JSON.parse(readFileSync(file, 'utf8')) as { input: Input }[]).map(({ input }) => input);
}
