import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { lockBuild, UnwritableFolder } from './build-lock.ts';
import {
  dist,
  fingerprintOf,
  isBuilt,
  listDrivers,
  listTargets,
  markBuilt,
  readKitVersion,
  root,
} from './stale.mjs';

/**
 * Builds the stale targets. If `only` has names, builds only the stale targets with these names. `npm start`, the tests
 * and `run.mjs` use it.
 */
export async function build(only: string[] = []): Promise<void> {
  const unlock = await lockBuild(join(dist, '.lock'));
  try {
    await buildStale(only);
  } finally {
    unlock();
  }
}

async function buildStale(only: string[]): Promise<void> {
  const targets = listTargets();
  const names = targets.map(({ name }) => name);
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`No target ${unknown.join(', ')}. There are: ${names.join(', ')}`);
  const failures: unknown[] = [];
  for (const target of targets) {
    if (only.length > 0 && !only.includes(target.name)) continue;
    const fingerprint = fingerprintOf(target);
    if (isBuilt(target, fingerprint)) continue;
    const started = performance.now();
    process.stdout.write(`Building ${target.name} … `);
    try {
      await (builders[target.name] ?? buildDriver)(target.name);
    } catch (error) {
      console.log('failed');
      failures.push(error);
      continue;
    }
    markBuilt(target, fingerprint);
    console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} of the targets did not build`);
}

/** How to build each target. The targets that are not listed here are drivers. */
const builders: Record<string, () => Promise<void>> = {
  desktop: () => bundle('apps/desktop/src/main.ts', 'trestle'),
  bridge: () => bundle('apps/bridge/src/main.ts', 'trestle-mcp', { format: 'cjs' }),
  'driver-host': () => bundle('packages/driver-host/src/child.ts', 'driver-host'),
  'driver-check': () =>
    bundle('packages/driver-host/src/check/check-driver.ts', 'driver-check', {
      alias: { vitest: join(root, 'packages', 'driver-kit', 'src', 'testing', 'node-runner.ts') },
    }),
  /** The driver template for authors, with the kit in one file: a driver made from it needs no package manager. */
  async 'driver-template'() {
    rmSync(join(dist, 'driver-template'), { recursive: true, force: true });
    cpSync(join(root, 'templates', 'driver'), join(dist, 'driver-template'), { recursive: true });
    const names = join(dist, 'driver-template', 'package.json');
    writeFileSync(names, readFileSync(names, 'utf8').replace('{version}', readKitVersion()));
    await bundle('packages/driver-kit/src/index.ts', 'driver-kit', { folder: 'driver-template' });
  },
  /** The kit as an npm package, for authors who want its types or run the contract suite themselves. */
  async 'driver-kit'() {
    const stage = '.plugin-driver-kit';
    const alias = { vitest: join(root, 'packages', 'driver-kit', 'src', 'testing', 'node-runner.ts') };
    rmSync(join(dist, stage), { recursive: true, force: true });
    await bundle('packages/driver-kit/src/index.ts', 'index', { folder: `${stage}/package` });
    await bundle('packages/driver-kit/src/testing/contract.ts', 'testing', {
      folder: `${stage}/package`,
      alias,
    });
    const { kitPackage, kitReadme, writeKitTypes } = await import('./build-kit.ts');
    writeKitTypes(join(dist, stage, 'package', 'types'));
    writeFileSync(join(dist, stage, 'package', 'package.json'), `${JSON.stringify(kitPackage, null, 2)}\n`);
    writeFileSync(join(dist, stage, 'package', 'README.md'), kitReadme);
    copyFileSync(join(root, 'LICENSE'), join(dist, stage, 'package', 'LICENSE'));
    await pack(stage, `driver-kit-${readKitVersion()}`);
  },
  registry: buildLocalRegistry,
  async sample() {
    const { buildSampleDatabase } = await import('../samples/sqlite/build.ts');
    mkdirSync(join(dist, 'sample'), { recursive: true });
    await buildSampleDatabase(join(dist, 'sample', 'trestle-sample.db'));
  },
  async 'vector-data'() {
    mkdirSync(join(dist, 'sample'), { recursive: true });
    copyFileSync(
      join(root, 'samples', 'vector-node', 'data', 'word-vectors.bin'),
      join(dist, 'sample', 'word-vectors.bin'),
    );
  },
  async ui() {
    const vite = await import('vite');
    // A test run may start this build with NODE_ENV=test, which would select React's development build.
    const before = process.env.NODE_ENV;
    process.env.NODE_ENV = 'production';
    await vite.build({ root: join(root, 'apps', 'ui'), mode: 'production', logLevel: 'warn' });
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  },
};

/** A registry on disk, signed with this checkout's own key, so that drivers install here as they do for a user. */
async function buildLocalRegistry(): Promise<void> {
  const { buildRegistry } = await import('../registry/src/build-registry.ts');
  const { developmentKey, publicKeyOf } = await import('../registry/src/keys.ts');
  const { driverPackages } = await import('../registry/src/pack-drivers.ts');
  const key = developmentKey(join(root, '.cache', 'registry-key.pem'));
  const drivers = listDrivers().filter(({ isBundled }) => !isBundled);
  rmSync(join(dist, 'registry'), { recursive: true, force: true });
  await buildRegistry({
    folder: join(dist, 'registry'),
    name: 'This checkout',
    packages: driverPackages(
      drivers.map(({ id, version }) => ({ id, version, folder: join(root, 'drivers', id) })),
      join(dist, 'plugins'),
    ),
    beside: [join(dist, 'plugins', `driver-kit-${readKitVersion()}.tgz`)],
    publisher: { name: 'Trestle (this checkout)', key },
    signers: [key],
    sequence: Date.now(),
    // On the user's own disk, nobody stands between this registry and the app.
    days: null,
  });
  const edition = { platform: 'desktop', registry: { address: 'registry/', keys: [publicKeyOf(key)] } };
  writeFileSync(join(dist, 'edition.json'), `${JSON.stringify(edition, null, 2)}\n`);
}

async function buildDriver(name: string): Promise<void> {
  const driver = listDrivers().find(({ id }) => id === name);
  if (!driver) throw new Error(`There is no driver ${name} to build`);
  if (driver.isBundled) await bundleDriver(name, join('drivers', name));
  else await packDriver(name, driver.version);
}

async function bundleDriver(id: string, folder: string): Promise<void> {
  await bundle(`drivers/${id}/src/driver.ts`, 'driver', { folder });
  copyFileSync(join(root, 'drivers', id, 'manifest.json'), join(dist, folder, 'manifest.json'));
}

/** The same source gives the same bytes, so a package's hash shows whether its driver changed. */
async function packDriver(id: string, version: string): Promise<void> {
  const stage = `.plugin-${id}`;
  rmSync(join(dist, stage), { recursive: true, force: true });
  // A bundled driver from an earlier build would be loaded instead of the package.
  rmSync(join(dist, 'drivers', id), { recursive: true, force: true });
  await bundleDriver(id, stage);
  copyFileSync(join(root, 'LICENSE'), join(dist, stage, 'LICENSE'));
  const files = readdirSync(join(dist, stage)).sort();
  if (files.join() !== 'LICENSE,driver.js,manifest.json')
    throw new Error(
      `The package of ${id} must contain exactly LICENSE, driver.js and manifest.json, but has ${files.join(', ')}`,
    );
  await pack(stage, `${id}-${version}`);
}

/** Packs a folder of `dist` into `plugins/NAME-VERSION.tgz` and removes other versions of this package. */
async function pack(stage: string, name: string): Promise<void> {
  const { create } = await import('tar');
  const plugins = join(dist, 'plugins');
  mkdirSync(plugins, { recursive: true });
  const file = join(plugins, `${name}.tgz`);
  await create(
    { cwd: join(dist, stage), file: `${file}.new`, gzip: { level: 9 }, portable: true, mtime: new Date(0) },
    readdirSync(join(dist, stage)).sort(),
  );
  const others = new RegExp(`^${name.replace(/-\d.*$/, '')}-\\d.*\\.tgz$`);
  for (const old of readdirSync(plugins).filter((one) => others.test(one))) rmSync(join(plugins, old));
  renameSync(`${file}.new`, file);
  rmSync(join(dist, stage), { recursive: true });
}

interface BundleOptions {
  folder?: string;
  format?: 'esm' | 'cjs';
  /** The names of packages, each with the file that replaces the package. */
  alias?: Record<string, string>;
}

/**
 * Bundles one entry with its imports. Lazy imports become `<name>-chunk-*.js` next to the bundle. The bridge is
 * CommonJS: an ES import of `node:http` would also load undici, which takes 50 ms at each start.
 */
async function bundle(
  entry: string,
  name: string,
  { folder = '.', format = 'esm', alias = {} }: BundleOptions = {},
): Promise<void> {
  const { rolldown } = await import('rolldown');
  const directory = join(dist, folder);
  const fresh = join(dist, `.fresh-${name}`);
  const bundler = await rolldown({
    // Paths in the bundle's comments are relative to this folder. Otherwise the bytes would depend on the working
    // directory.
    cwd: root,
    input: { [name]: join(root, entry) },
    platform: 'node',
    resolve: { alias },
    // A native module cannot be bundled: its binary is in its own package.
    external: ['@napi-rs/keyring'],
    checks: { pluginTimings: false },
  });
  await bundler.write({
    dir: fresh,
    format,
    entryFileNames: format === 'cjs' ? '[name].cjs' : '[name].js',
    chunkFileNames: `${name}-chunk-[name]-[hash].js`,
    sourcemap: false,
    // V8 keeps the source of running code in memory, so most comments are removed.
    comments: { jsdoc: false, annotation: false, legal: true },
    plugins: [escapeText],
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

/** With one character beyond Latin-1, V8 keeps the whole source in two bytes a character: 2 MB more in the app. */
const escapeText: Plugin = {
  name: 'escape-text',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = escapeBeyondLatin1(file.code);
  },
};

function escapeBeyondLatin1(code: string): string {
  return code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

if (import.meta.main) {
  try {
    await build(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UnwritableFolder)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
