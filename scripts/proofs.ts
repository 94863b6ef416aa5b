import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * `npm run proofs -- [name …] [--rounds N]` runs the long forms of tests that `npm run test:all` runs short. After a failure,
 * the command prints the seed of the random cases.
 */
const proofs: Record<string, Proof> = {
  filters: {
    project: 'weaviate',
    files: ['tests/real-weaviate/filters.test.ts', 'tests/real-weaviate/paging.test.ts'],
    size: { TRESTLE_FUZZ_CASES: 3_000, TRESTLE_EXPORT_OBJECTS: 50_000 },
  },
  saves: {
    project: 'weaviate',
    files: ['tests/real-weaviate/saves.test.ts'],
    size: { TRESTLE_SAVE_ROWS: 10_000, TRESTLE_SAVE_CANCELS: 50 },
  },
  'window-saves-1.39.0': {
    project: 'system',
    files: ['tests/e2e/save.test.ts'],
    size: { TRESTLE_SAVE_SERVER: '1.39.0' },
  },
  'window-saves-1.27.27': {
    project: 'system',
    files: ['tests/e2e/save.test.ts'],
    size: { TRESTLE_SAVE_SERVER: '1.27.27' },
  },
  masking: {
    project: 'unit',
    files: ['drivers/sqlite/src/masking-random.test.ts'],
    size: { TRESTLE_FUZZ_CASES: 60_000 },
  },
  'first-values': {
    project: 'unit',
    files: ['packages/core/src/masking/first-value.test.ts'],
    size: { TRESTLE_RACES: 200 },
  },
  plans: {
    project: 'unit',
    files: ['drivers/sqlite/src/scanned-indexes.test.ts'],
    size: { TRESTLE_FUZZ_CASES: 20_000 },
  },
  answers: {
    project: 'unit',
    files: ['apps/bridge/src/upstream.fuzz.test.ts'],
    size: { TRESTLE_FUZZ_CASES: 20_000 },
  },
  designs: {
    project: 'weaviate',
    files: ['tests/real-weaviate/designs.test.ts'],
    size: { TRESTLE_FUZZ_CASES: 500 },
  },
  moves: {
    project: 'unit',
    files: ['packages/core/src/moved-tables.test.ts'],
    size: { TRESTLE_FUZZ_CASES: 10_000 },
  },
  /** Two people edit one table: ten minutes for each kind of server. */
  'two-people-sqlite': {
    project: 'system',
    files: ['tests/faults/two-people.test.ts'],
    size: { TRESTLE_TWO_PEOPLE_SECONDS: 600 },
  },
  'two-people-weaviate': {
    project: 'weaviate',
    files: ['tests/real-weaviate/two-people.test.ts'],
    size: { TRESTLE_TWO_PEOPLE_SECONDS: 600 },
  },
  fuzz: { project: 'unit', files: ['tests/fuzz'], size: { TRESTLE_FUZZ_CASES: 100_000 } },
  impostor: {
    project: 'system',
    files: ['tests/mcp/bridge-impostor.test.ts'],
    size: { TRESTLE_IMPOSTOR_TRIES: 500 },
  },
  load: { project: 'system', files: ['tests/mcp/load.test.ts'], size: { TRESTLE_LOAD_SECONDS: 120 } },
  rotation: {
    project: 'system',
    files: ['tests/mcp/bridge-rotation.test.ts'],
    size: { TRESTLE_ROTATIONS: 300 },
  },
  kills: { project: 'system', files: ['tests/faults/killed-app.test.ts'], size: { TRESTLE_APP_KILLS: 200 } },
  restarts: { project: 'system', files: ['tests/mcp/bridge-restarts.test.ts'], size: { TRESTLE_KILLS: 200 } },
  neighbours: {
    project: 'system',
    files: ['tests/faults/neighbours.test.ts'],
    size: { TRESTLE_RESETS: 1_000 },
  },
  'neighbours-weaviate': {
    project: 'weaviate',
    files: ['tests/real-weaviate/neighbours.test.ts'],
    size: { TRESTLE_RESETS: 1_000 },
  },
  packages: {
    project: 'system',
    files: ['tests/packages'],
    size: { TRESTLE_PACKAGES: 'all' },
  },
  installs: {
    project: 'system',
    files: ['tests/faults/killed-install.test.ts'],
    size: { TRESTLE_INSTALL_KILLS: 200 },
  },
  'killed-parts': {
    project: 'weaviate',
    files: ['tests/real-weaviate/killed-parts.test.ts'],
    size: { TRESTLE_PART_KILLS: 200 },
  },
  'killed-windows': {
    project: 'system',
    files: ['tests/faults/killed-window.test.ts'],
    size: { TRESTLE_WINDOW_KILLS: 200 },
  },
  network: {
    project: 'weaviate',
    files: ['tests/real-weaviate/network-faults.test.ts'],
    size: { TRESTLE_NETWORK_ROUNDS: 10 },
  },
  disks: {
    project: 'system',
    files: ['tests/faults/full-disk', 'tests/mcp/bridge-disk.test.ts', 'tests/e2e/full-disk.test.ts'],
    size: {},
  },
  damage: {
    project: 'system',
    files: ['tests/faults/damaged-files.test.ts', 'tests/faults/killed-rescue.test.ts'],
    size: { TRESTLE_DAMAGES: 100, TRESTLE_RESCUE_KILLS: 200 },
  },
  clock: {
    project: 'system',
    files: ['tests/faults/clock-jumps.test.ts'],
    size: { TRESTLE_CLOCK_JUMPS: 50 },
  },
  /** Downloads the client libraries for Python and TypeScript. */
  converted: {
    project: 'weaviate',
    files: ['tests/real-weaviate/converted-code.test.ts'],
    size: { TRESTLE_CLIENT_LIBRARIES: 'install' },
  },
  cluster: {
    project: 'weaviate',
    files: ['tests/real-weaviate/cluster.test.ts'],
    size: { TRESTLE_NODE_KILLS: 10 },
  },
};

/** Names for several proofs at once. */
const groups: Record<string, string[]> = {
  'two-people': ['two-people-sqlite', 'two-people-weaviate'],
  /** More than 1,000 kills, and the other faults that docs/benchmarks.md lists. */
  faults: [
    'kills',
    'restarts',
    'installs',
    'killed-parts',
    'killed-windows',
    'neighbours-weaviate',
    'network',
    'disks',
    'damage',
    'rotation',
    'clock',
  ],
};

interface Proof {
  project: string;
  files: string[];
  size: Record<string, number | string>;
}

const root = join(import.meta.dirname, '..');
const seed = process.env.TRESTLE_FUZZ_SEED ?? String(Date.now() % 1_000_000);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, help: { type: 'boolean' } },
});
const known = [...Object.keys(groups), ...Object.keys(proofs)];
if (values.help) {
  console.log(`npm run proofs -- [name …] [--rounds N]. Names: ${known.join(', ')}.`);
  process.exit(0);
}
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no proof ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  process.exit(2);
}
/** The upper bound for the numbers in `size`, for a shorter run. */
const most = values.rounds === undefined ? Number.POSITIVE_INFINITY : Number(values.rounds);
if (!(most >= 1)) {
  console.error('--rounds must be a number from 1 on.');
  process.exit(2);
}

const chosen = positionals.length > 0 ? positionals : Object.keys(proofs);
const folder = mkdtempSync(join(tmpdir(), 'trestle-proofs-'));
const tallyFile = join(folder, 'tally.jsonl');
const failed: string[] = [];
for (const name of new Set(chosen.flatMap((one) => groups[one] ?? [one]))) {
  console.log(`\n${name}`);
  if (!prove(proofs[name]!)) failed.push(name);
}
printTally();
rmSync(folder, { recursive: true, force: true });
console.log(
  failed.length > 0 ? `Failed: ${failed.join(', ')}. TRESTLE_FUZZ_SEED=${seed}` : 'All chosen proofs hold.',
);
process.exit(failed.length > 0 ? 1 : 0);

function prove({ project, files, size }: Proof): boolean {
  const bounded = (value: number | string) =>
    String(typeof value === 'number' ? Math.min(value, most) : value);
  const sizes = Object.entries(size).map(([name, value]) => [name, process.env[name] ?? bounded(value)]);
  const env = {
    ...process.env,
    TRESTLE_FUZZ_SEED: seed,
    TRESTLE_PROOF_TALLY: tallyFile,
    ...Object.fromEntries(sizes),
  };
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', `--project=${project}`, ...files];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status === 0;
}

/** Prints how many faults of each kind the tests counted. */
function printTally(): void {
  if (!existsSync(tallyFile)) return;
  const counts = new Map<string, number>();
  for (const line of readFileSync(tallyFile, 'utf8').trimEnd().split('\n')) {
    const { kind, count } = JSON.parse(line) as { kind: string; count: number };
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`\n${total} faults:`);
  for (const [kind, count] of counts) console.log(`  ${count} ${kind}`);
}
