// This file runs on the user's own Node before npm has installed the dependencies, so it imports no package. If nothing
// is stale, `npm start` does not load build.ts.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const dist = join(root, 'dist');

/** The drivers that ship with the app. All other drivers are packages to install. */
const bundledDrivers = ['sqlite'];

/** The build targets, with their inputs and outputs. `build.ts` knows how to build them. */
export function listTargets() {
  return [
    {
      name: 'desktop',
      inputs: ['apps/desktop', 'packages', 'samples/vector-node'],
      outputs: ['trestle.js'],
    },
    { name: 'bridge', inputs: ['apps/bridge', 'packages/handshake'], outputs: ['trestle-mcp.cjs'] },
    {
      name: 'driver-host',
      inputs: ['packages/driver-host', 'packages/driver-kit'],
      outputs: ['driver-host.js'],
    },
    {
      name: 'driver-check',
      inputs: ['packages/driver-host', 'packages/driver-kit'],
      outputs: ['driver-check.js'],
    },
    {
      name: 'driver-template',
      inputs: ['templates/driver', 'templates/driver/README.md', 'packages/driver-kit'],
      outputs: ['driver-template/driver.js', 'driver-template/driver-kit.js'],
    },
    {
      name: 'driver-kit',
      inputs: ['packages/driver-kit', 'LICENSE', 'scripts/build-kit.ts'],
      outputs: [`plugins/driver-kit-${readKitVersion()}.tgz`],
    },
    ...listDrivers().map(({ id, version, isBundled }) => ({
      name: id,
      inputs: [
        `drivers/${id}`,
        'packages/driver-kit',
        'packages/weaviate-connect',
        ...(isBundled ? [] : ['LICENSE']),
      ],
      outputs: isBundled
        ? [`drivers/${id}/driver.js`, `drivers/${id}/manifest.json`]
        : [`plugins/${id}-${version}.tgz`],
    })),
    {
      name: 'registry',
      inputs: [
        'registry/src',
        'packages/driver-kit',
        'scripts/build-kit.ts',
        'LICENSE',
        ...listDrivers().flatMap(({ id, isBundled }) =>
          isBundled ? [] : [`drivers/${id}`, `drivers/${id}/CHANGES.md`],
        ),
      ],
      outputs: ['registry/index.json', `registry/driver-kit-${readKitVersion()}.tgz`, 'edition.json'],
    },
    { name: 'sample', inputs: ['samples/sqlite'], outputs: ['sample/trestle-sample.db'] },
    {
      name: 'vector-data',
      inputs: ['samples/vector-node/data/word-vectors.bin'],
      outputs: ['sample/word-vectors.bin'],
    },
    {
      name: 'ui',
      inputs: ['apps/ui', 'apps/desktop/src/api', 'packages/driver-kit'],
      outputs: ['ui/index.html'],
    },
  ];
}

/** The version of the driver kit as a package. */
export function readKitVersion() {
  return JSON.parse(readFileSync(join(root, 'packages', 'driver-kit', 'package.json'), 'utf8')).version;
}

export function listDrivers() {
  const folder = join(root, 'drivers');
  return readdirSync(folder).flatMap((id) => {
    const manifest = join(folder, id, 'manifest.json');
    if (!existsSync(manifest)) return [];
    const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
    return [{ id, version, isBundled: bundledDrivers.includes(id) }];
  });
}

/** Whether any target is stale. */
export function isStale() {
  const seen = new Map();
  return listTargets().some((target) => !isBuilt(target, fingerprintOf(target, seen)));
}

export function isBuilt({ name, outputs }, fingerprint) {
  const stamp = stampOf(name);
  const isPresent = outputs.every((output) => existsSync(join(dist, output)));
  return isPresent && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint;
}

/** Stores the fingerprint from before the build: a change during the build makes the target stale again. */
export function markBuilt({ name }, fingerprint) {
  mkdirSync(dirname(stampOf(name)), { recursive: true });
  writeFileSync(stampOf(name), fingerprint);
}

/** `seen` caches the inputs that several targets share. */
export function fingerprintOf({ inputs }, seen = new Map()) {
  const hash = createHash('sha256');
  for (const input of ['package-lock.json', 'scripts/build.ts', 'scripts/stale.mjs', ...inputs]) {
    hash.update(describe(join(root, input), seen));
  }
  return hash.digest('hex');
}

function stampOf(name) {
  return join(dist, '.stamps', name);
}

/** The files at or below a path, with size and time. In a folder, `isIgnored` leaves out tests, docs and builds. */
function describe(path, seen) {
  const known = seen.get(path);
  if (known !== undefined) return known;
  // Whole nanoseconds: two versions of Node may round milliseconds differently.
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  let text = '';
  if (stat?.isFile()) text = `${path}\0${stat.size}\0${stat.mtimeNs}\n`;
  else if (stat) {
    const names = readdirSync(path).filter((name) => !isIgnored(name));
    for (const name of names.sort()) text += describe(join(path, name), seen);
  }
  seen.set(path, text);
  return text;
}

function isIgnored(name) {
  return name === 'node_modules' || name === 'dist' || /\.test\.tsx?$|\.md$/.test(name);
}
