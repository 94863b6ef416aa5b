import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Runs the long forms of tests that `npm test` runs short: `npm run proofs [-- name …]`. The printed seed reproduces
 * a failure.
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
  answers: {
    project: 'unit',
    files: ['apps/bridge/src/upstream.fuzz.test.ts'],
    size: { TRESTLE_FUZZ_CASES: 20_000 },
  },
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
};

interface Proof {
  project: string;
  files: string[];
  size: Record<string, number | string>;
}

const root = join(import.meta.dirname, '..');
const seed = process.env.TRESTLE_FUZZ_SEED ?? String(Date.now() % 1_000_000);
const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in proofs));
if (unknown.length > 0) {
  console.error(`There is no proof ${unknown.join(', ')}. There are: ${Object.keys(proofs).join(', ')}.`);
  process.exit(2);
}

const failed: string[] = [];
for (const name of names.length > 0 ? names : Object.keys(proofs)) {
  if (!prove(proofs[name]!)) failed.push(name);
}
console.log(
  failed.length > 0 ? `Failed: ${failed.join(', ')}. TRESTLE_FUZZ_SEED=${seed}` : 'Every proof holds.',
);
process.exit(failed.length > 0 ? 1 : 0);

function prove({ project, files, size }: Proof): boolean {
  const sizes = Object.entries(size).map(([name, value]) => [name, process.env[name] ?? String(value)]);
  const env = { ...process.env, TRESTLE_FUZZ_SEED: seed, ...Object.fromEntries(sizes) };
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', `--project=${project}`, ...files];
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env }).status === 0;
}
