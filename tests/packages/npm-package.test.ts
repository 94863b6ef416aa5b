import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeAllPackages } from './all-packages.ts';
import {
  browseSamples,
  command,
  emptyFolder,
  makePackages,
  npmEnvironment,
  plainPath,
  root,
  runPackage,
  version,
} from './packages.ts';

let made: Awaited<ReturnType<typeof makePackages>>;
let unpacked: string;
const tarball = () => join(made.out, `trestle-mcp-${version}.tgz`);
beforeAll(async () => {
  made = await makePackages(['npm']);
  unpacked = emptyFolder('unpacked');
  await extract({ file: tarball(), cwd: unpacked, strip: 1 });
});
afterAll(() => {
  made.close();
  rmSync(unpacked, { recursive: true, force: true });
});

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('the npm package', () => {
  test('contains no source, no source map, no tests, no development dependency, and no driver except SQLite’s', () => {
    const files = filesOf(unpacked).map((path) => path.slice(unpacked.length + 1));
    expect(files.filter((path) => /\.(map|tsx?)$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
    expect(
      files.filter((path) => /node_modules|(^|\/)tests?\/|\.test\.|vitest|playwright/.test(path)),
    ).toEqual([]);
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
      readFileSync(join(unpacked, 'package.json'), 'utf8'),
    );
    expect(Object.keys(dependencies)).toEqual(['@napi-rs/keyring']);
    expect(Object.keys(optionalDependencies).every((name) => /^node-/.test(name))).toBe(true);
    expect(devDependencies).toBeUndefined();
    expect(readdirSync(join(unpacked, 'dist', 'drivers'))).toEqual(['sqlite']);
  });

  test('has no file of the Weaviate driver in its bundles', () => {
    const sources = filesOf(join(root, 'drivers', 'weaviate', 'src')).filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
    );
    expect(sources.length).toBeGreaterThan(20);
    // The bundler writes the path of each included file into the bundle.
    for (const file of filesOf(join(unpacked, 'dist'))) {
      if (!/\.c?js$/.test(file)) continue;
      expect([file, readFileSync(file, 'utf8').includes('drivers/weaviate')]).toEqual([file, false]);
    }
  });

  test('contains no path of the repository or of a home folder, and not the name of the machine', () => {
    const own = [root, hostname(), `/home/${userInfo().username}/`, '/root/'].filter((one) => one.length > 3);
    for (const file of filesOf(unpacked)) {
      const bytes = readFileSync(file);
      expect([file, own.filter((one) => bytes.includes(one))]).toEqual([file, []]);
    }
  });

  test('the same source gives the same bytes', async () => {
    const again = emptyFolder('packages-again');
    try {
      await runPackage(again, made.registry, ['npm']);
      const sums = readFileSync(join(made.out, 'SHA256SUMS'), 'utf8');
      expect(readFileSync(join(again, 'SHA256SUMS'), 'utf8')).toBe(sums);
      for (const file of readdirSync(join(made.out, 'registry'))) {
        const [one, other] = [made.out, again].map((out) => readFileSync(join(out, 'registry', file)));
        expect([file, one!.equals(other!)]).toEqual([file, true]);
      }
    } finally {
      rmSync(again, { recursive: true, force: true });
    }
  });

  test('its checksum is right, and its bill of materials lists runtime libraries but not vitest', () => {
    const sums = readFileSync(join(made.out, 'SHA256SUMS'), 'utf8').trim().split('\n');
    const sum = createHash('sha256').update(readFileSync(tarball())).digest('hex');
    expect(sums).toContain(`${sum}  trestle-mcp-${version}.tgz`);
    const bill = JSON.parse(readFileSync(join(made.out, `trestle-${version}.cdx.json`), 'utf8'));
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { version } } });
    const names = bill.components.map((one: { group?: string; name: string }) =>
      one.group ? `${one.group}/${one.name}` : one.name,
    );
    expect(names).toEqual(expect.arrayContaining(['hono', 'react', 'undici', 'zod']));
    expect(names).not.toContain('vitest');
    expect(readFileSync(join(unpacked, 'THIRD-PARTY.txt'), 'utf8')).toMatch(/^hono [\d.]+$/m);
  });
});

describe('the installed npm package', () => {
  let home: string;
  let prefix: string;
  let trestle: string;
  beforeAll(async () => {
    home = emptyFolder('npm-home');
    prefix = join(home, 'prefix');
    mkdirSync(prefix);
    const args = ['install', '--global', '--prefix', prefix, tarball(), '--prefer-offline'];
    await command('npm', args, npmEnvironment(home));
    trestle = join(prefix, 'bin', 'trestle');
  });
  afterAll(async () => {
    await command(trestle, ['stop'], npmEnvironment(home));
    rmSync(home, { recursive: true, force: true });
  });

  test('both samples answer through the bridge in an empty home; the Weaviate driver comes from the registry', async () => {
    const bridge = join(prefix, 'bin', 'trestle-mcp');
    const env = { HOME: home, PATH: process.env.PATH! };
    const { connections, planets, inventions } = await browseSamples({ command: bridge }, env);
    expect(connections).toMatch(/Sample: Weaviate[\s\S]*Sample: SQLite/);
    expect(planets).toContain('Mercury');
    expect(inventions).toMatch(/telephone/i);
    const { stdout } = await command(trestle, ['plugins', 'list'], env);
    expect(stdout).toMatch(/weaviate/);
  });

  test('prints its version, whether it is the newest, and what stays after its removal', async () => {
    const env = npmEnvironment(home);
    expect((await command(trestle, ['--version'], env)).stdout.trim()).toBe(version);
    expect((await command(trestle, ['update'], env)).stdout).toBe(`Trestle ${version} is the newest.\n`);
    const { stderr } = await command(trestle, ['install'], env).catch((error) => error);
    expect(stderr).toMatch(/needs no install/);
    const { stdout } = await command(trestle, ['uninstall'], env);
    expect(stdout).toMatch(/npm uninstall -g trestle-mcp\n.*settings stay in /);
    expect(existsSync(join(home, '.local', 'share', 'trestle'))).toBe(true);
  });

  test('connect names a launcher that needs no Node on PATH', async () => {
    const { stdout } = await command(trestle, ['connect', '--json'], npmEnvironment(home));
    const { bridge } = JSON.parse(stdout) as { bridge: string };
    expect(bridge).toMatch(/trestle-mcp\/bin\/trestle-mcp$/);
    const { connections } = await browseSamples({ command: bridge }, { HOME: home, PATH: plainPath });
    expect(connections).toContain('Sample: SQLite');
  });

  test('npx runs the tarball, and connect then shows an npx command, not a path in the npx cache', async () => {
    const env = npmEnvironment(home);
    const bridge = { command: 'npx', args: ['-y', `file:${tarball()}`] };
    const { planets } = await browseSamples(bridge, env);
    expect(planets).toContain('Mercury');
    const args = ['-y', '-p', `file:${tarball()}`, 'trestle', 'connect', 'cursor', '--json'];
    const { stdout } = await command('npx', args, env);
    expect(stdout).not.toContain('_npx');
    expect(stdout).toContain('\\"npx\\"');
  });
});

if (process.env.TRESTLE_PACKAGES === 'all') describeAllPackages();
