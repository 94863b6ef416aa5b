import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** The drivers that ship with the app; each other one is a package to install. */
const bundledDrivers = ['sqlite'];

interface Target {
  name: string;
  /** Files and folders whose change makes the target stale. */
  inputs: string[];
  outputs: string[];
  build(): Promise<void>;
}

/** Builds what is stale, or what is stale among the named targets. Called before start, test and bench. */
export async function build(only: string[] = []): Promise<void> {
  const unlock = await lock();
  try {
    await buildStale(only);
  } finally {
    unlock();
  }
}

async function buildStale(only: string[]): Promise<void> {
  const unknown = only.filter((name) => !targets.some((target) => target.name === name));
  if (unknown.length > 0) throw new Error(`No target ${unknown.join(', ')}. There are: ${names()}`);
  const failures: unknown[] = [];
  for (const target of targets) {
    if (only.length > 0 && !only.includes(target.name)) continue;
    const stamp = join(dist, '.stamps', target.name);
    const fingerprint = fingerprintOf(['package-lock.json', 'scripts/build.ts', ...target.inputs]);
    const present = target.outputs.every((output) => existsSync(join(dist, output)));
    if (present && existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) continue;
    const started = performance.now();
    process.stdout.write(`Building ${target.name} … `);
    try {
      await target.build();
    } catch (error) {
      console.log('failed');
      failures.push(error);
      continue;
    }
    mkdirSync(join(dist, '.stamps'), { recursive: true });
    writeFileSync(stamp, fingerprint);
    console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of the targets did not build`);
}

const targets: Target[] = [
  {
    name: 'desktop',
    inputs: ['apps/desktop', 'packages', 'samples/vector-node'],
    outputs: ['trestle.js'],
    build: () => bundle('apps/desktop/src/main.ts', 'trestle'),
  },
  {
    name: 'bridge',
    inputs: ['apps/bridge', 'packages/handshake'],
    outputs: ['trestle-mcp.js'],
    build: () => bundle('apps/bridge/src/main.ts', 'trestle-mcp'),
  },
  {
    name: 'driver-host',
    inputs: ['packages/driver-host', 'packages/driver-kit'],
    outputs: ['driver-host.js'],
    build: () => bundle('packages/driver-host/src/child.ts', 'driver-host'),
  },
  ...driverTargets(),
  {
    name: 'sample',
    inputs: ['samples/sqlite'],
    outputs: ['sample/trestle-sample.db'],
    async build() {
      const { buildSampleDatabase } = await import('../samples/sqlite/build.ts');
      mkdirSync(join(dist, 'sample'), { recursive: true });
      await buildSampleDatabase(join(dist, 'sample', 'trestle-sample.db'));
    },
  },
  {
    name: 'vector-data',
    inputs: ['samples/vector-node/data/word-vectors.bin'],
    outputs: ['sample/word-vectors.bin'],
    async build() {
      mkdirSync(join(dist, 'sample'), { recursive: true });
      copyFileSync(
        join(root, 'samples', 'vector-node', 'data', 'word-vectors.bin'),
        join(dist, 'sample', 'word-vectors.bin'),
      );
    },
  },
  {
    name: 'ui',
    inputs: ['apps/ui', 'apps/desktop/src/api', 'packages/driver-kit'],
    outputs: ['ui/index.html'],
    async build() {
      const vite = await import('vite');
      // React's development build is what NODE_ENV=test would give, and a test run may come first.
      const before = process.env.NODE_ENV;
      process.env.NODE_ENV = 'production';
      await vite.build({ root: join(root, 'apps', 'ui'), mode: 'production', logLevel: 'warn' });
      if (before === undefined) delete process.env.NODE_ENV;
      else process.env.NODE_ENV = before;
    },
  },
];

function names(): string {
  return targets.map((target) => target.name).join(', ');
}

function driverTargets(): Target[] {
  const ids = readdirSync(join(root, 'drivers')).filter((id) =>
    existsSync(join(root, 'drivers', id, 'manifest.json')),
  );
  return ids.map((id) => {
    const isBundled = bundledDrivers.includes(id);
    const { version } = JSON.parse(readIfThere(join(root, 'drivers', id, 'manifest.json')));
    return {
      name: id,
      inputs: [`drivers/${id}`, 'packages/driver-kit', ...(isBundled ? [] : ['LICENSE'])],
      outputs: isBundled
        ? [`drivers/${id}/driver.js`, `drivers/${id}/manifest.json`]
        : [`plugins/${id}-${version}.tgz`],
      build: () => (isBundled ? bundleDriver(id, join('drivers', id)) : packDriver(id, version)),
    };
  });
}

async function bundleDriver(id: string, folder: string): Promise<void> {
  await bundle(`drivers/${id}/src/driver.ts`, 'driver', folder);
  copyFileSync(join(root, 'drivers', id, 'manifest.json'), join(dist, folder, 'manifest.json'));
}

/** The same source gives the same bytes, so that a package's hash says whether its driver changed. */
async function packDriver(id: string, version: string): Promise<void> {
  const { create } = await import('tar');
  const stage = `.plugin-${id}`;
  const plugins = join(dist, 'plugins');
  rmSync(join(dist, stage), { recursive: true, force: true });
  // What an earlier build left as a bundled driver would be loaded in place of the package.
  rmSync(join(dist, 'drivers', id), { recursive: true, force: true });
  await bundleDriver(id, stage);
  copyFileSync(join(root, 'LICENSE'), join(dist, stage, 'LICENSE'));
  const files = readdirSync(join(dist, stage)).sort();
  if (files.join() !== 'LICENSE,driver.js,manifest.json') throw new Error(`${id} has ${files.join(', ')}`);
  mkdirSync(plugins, { recursive: true });
  const file = join(plugins, `${id}-${version}.tgz`);
  await create(
    { cwd: join(dist, stage), file: `${file}.new`, gzip: { level: 9 }, portable: true, mtime: new Date(0) },
    files,
  );
  for (const old of readdirSync(plugins)) {
    if (old.startsWith(`${id}-`) && !old.endsWith('.new')) rmSync(join(plugins, old));
  }
  renameSync(`${file}.new`, file);
  rmSync(join(dist, stage), { recursive: true });
}

/** One entry with what it imports; lazy imports become `<name>-chunk-*.js` beside it. */
async function bundle(entry: string, name: string, folder = '.'): Promise<void> {
  const { rolldown } = await import('rolldown');
  const directory = join(dist, folder);
  const fresh = join(dist, `.fresh-${name}`);
  const bundler = await rolldown({
    // Paths in the bundle's comments are relative to it: the same bytes wherever the build is started.
    cwd: root,
    input: { [name]: join(root, entry) },
    platform: 'node',
    // A native module: its binary sits beside its own package.
    external: ['@napi-rs/keyring'],
    checks: { pluginTimings: false },
  });
  await bundler.write({
    dir: fresh,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${name}-chunk-[name]-[hash].js`,
    sourcemap: false,
  });
  await bundler.close();
  mkdirSync(directory, { recursive: true });
  const written = readdirSync(fresh);
  for (const file of written) renameSync(join(fresh, file), join(directory, file));
  for (const file of readdirSync(directory)) {
    if (file.startsWith(`${name}-chunk-`) && !written.includes(file)) rmSync(join(directory, file));
  }
  rmSync(fresh, { recursive: true });
}

/** Two commands started at once must not write the same bundle: the second waits and finds it fresh. */
async function lock(): Promise<() => void> {
  const path = join(dist, '.lock');
  mkdirSync(dist, { recursive: true });
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch {
      if (!isAlive(Number(readIfThere(path)))) rmSync(path, { force: true });
      else await setTimeout(100);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function fingerprintOf(inputs: string[]): string {
  const hash = createHash('sha256');
  for (const input of inputs) addToFingerprint(join(root, input), hash);
  return hash.digest('hex');
}

function addToFingerprint(path: string, hash: ReturnType<typeof createHash>): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isFile()) {
    if (/\.test\.tsx?$|\.md$/.test(path)) return;
    hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`);
    return;
  }
  for (const entry of readdirSync(path).sort()) {
    if (entry !== 'node_modules' && entry !== 'dist') addToFingerprint(join(path, entry), hash);
  }
}

if (import.meta.main) await build(process.argv.slice(2));
