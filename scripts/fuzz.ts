import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The long forms of proofs that `npm test` runs short. Each has a seed, printed, that finds a failure again. */
const root = join(import.meta.dirname, '..');
const seed = process.env.TRESTLE_FUZZ_SEED ?? String(Date.now() % 1_000_000);
console.log(`TRESTLE_FUZZ_SEED=${seed}`);

const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'vitest', 'vitest.mjs'),
    'run',
    '--project=weaviate',
    'tests/real-weaviate/filters.test.ts',
    'tests/real-weaviate/paging.test.ts',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      TRESTLE_FUZZ_SEED: seed,
      TRESTLE_FUZZ_CASES: process.env.TRESTLE_FUZZ_CASES ?? '3000',
      TRESTLE_EXPORT_OBJECTS: process.env.TRESTLE_EXPORT_OBJECTS ?? '50000',
    },
  },
);
process.exit(status ?? 1);
