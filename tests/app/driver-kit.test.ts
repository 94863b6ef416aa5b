import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';
import { createHome } from './trestle.ts';

const root = join(import.meta.dirname, '..', '..');
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const run = promisify(execFile);

/** Makes a new driver. npm installs the kit from the copy in the driver's folder, so the tests need no network. */
async function newDriver() {
  const home = createHome();
  const cwd = mkdtempSync(join(tmpdir(), 'trestle-kit-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  const plugins = (...args: string[]) => home.run(['plugins', ...args], { cwd });
  expect(await plugins('new', 'notes')).toMatchObject({ code: 0, stderr: '' });
  const folder = join(cwd, 'notes');
  const npm = (at: string, ...args: string[]) =>
    run('npm', [...args, '--offline', '--no-audit', '--no-fund', '--cache', join(cwd, 'cache')], { cwd: at });
  await npm(folder, 'install');
  return { cwd, folder, plugins, npm };
}

const check = (folder: string, ...files: string[]) =>
  run(
    process.execPath,
    [
      ...[
        tsc,
        '--ignoreConfig',
        '--noEmit',
        '--allowJs',
        '--checkJs',
        '--strict',
        '--noImplicitAny',
        'false',
      ],
      ...['--useUnknownInCatchVariables', 'false', '--module', 'nodenext', '--target', 'esnext'],
      ...['--lib', 'esnext', '--resolveJsonModule', '--types', 'node'],
      ...['--typeRoots', join(root, 'node_modules', '@types'), ...files],
    ],
    { cwd: folder },
  ).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );

test('an author installs the kit, and the lockfile gives the same kit to the next author', async () => {
  const { cwd, folder, npm } = await newDriver();
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  expect(lock.packages['node_modules/@trestle/driver-kit']).toMatchObject({
    resolved: expect.stringMatching(/^file:driver-kit-[\d.]+\.tgz$/),
    integrity: expect.stringMatching(/^sha512-/),
  });
  const next = join(cwd, 'next');
  cpSync(folder, next, { recursive: true, filter: (path) => !path.includes('node_modules') });
  await npm(next, 'ci');
  const files = (at: string) => readdirSync(join(at, 'node_modules', '@trestle', 'driver-kit')).sort();
  expect(files(next)).toEqual(['LICENSE', 'README.md', 'index.js', 'package.json', 'testing.js', 'types']);
  expect(files(next)).toEqual(files(folder));
  writeFileSync(join(next, readdirSync(next).find((name) => name.endsWith('.tgz'))!), 'another kit');
  rmSync(join(cwd, 'cache'), { recursive: true });
  await expect(npm(next, 'ci')).rejects.toThrow('EINTEGRITY');
});

test('the kit has types for JavaScript and TypeScript, and a TypeScript driver that is bundled into one file can be installed', async () => {
  const { folder, plugins } = await newDriver();
  expect(await check(folder, 'driver.js', 'contract.js', 'read-table.js')).toBe('');
  renameSync(join(folder, 'driver.js'), join(folder, 'driver.ts'));
  const source = readFileSync(join(folder, 'driver.ts'), 'utf8')
    .replace("'./driver-kit.js'", "'@trestle/driver-kit'")
    .replace('function openSession(folder) {', 'function openSession(folder: string): Session {')
    .replace('import manifest', "import type { Session } from '@trestle/driver-kit';\nimport manifest");
  writeFileSync(join(folder, 'driver.ts'), source);
  expect(await check(folder, 'driver.ts')).toBe('');
  writeFileSync(join(folder, 'driver.ts'), source.replace("kind: 'table'", "kind: 'tabel'"));
  expect(await check(folder, 'driver.ts')).toContain(`'"tabel"' is not assignable`);
  writeFileSync(join(folder, 'driver.ts'), source);
  const bundler = await rolldown({ cwd: folder, input: 'driver.ts', platform: 'node' });
  await bundler.write({ file: join(folder, 'driver.js'), format: 'esm' });
  await bundler.close();
  const { code, stdout } = await plugins('check', 'notes');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/pass [1-9]\d+\n[^\n]*fail 0\n/)]);
  await plugins('pack', 'notes');
  expect(await plugins('install', 'notes-0.1.0.tgz')).toMatchObject({ code: 0 });
});

test('the contract suite of the kit runs on node:test', async () => {
  const { folder } = await newDriver();
  writeFileSync(join(folder, 'suite.test.js'), suite);
  const { stdout } = await run(process.execPath, ['--test', 'suite.test.js'], {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  expect(stdout).toMatch(/pass [1-9]\d+\n[^\n]*fail 0\n/);
  const broken = suite.replace('has: []', "has: ['exportRows']");
  writeFileSync(join(folder, 'suite.test.js'), broken);
  await expect(
    run(process.execPath, ['--test', 'suite.test.js'], { cwd: folder, env: { PATH: process.env.PATH } }),
  ).rejects.toMatchObject({ stdout: expect.stringContaining('exportRows') });
});

const suite = `
import { DriverError } from '@trestle/driver-kit';
import { describeDriverContract } from '@trestle/driver-kit/testing';
import { target } from './contract.js';
import { driver } from './driver.js';
import manifest from './manifest.json' with { type: 'json' };
const call = () => ({ signal: new AbortController().signal, timeoutMs: 10_000 });
describeDriverContract(manifest.name, {
  ...target,
  has: [],
  manifest,
  interrupts: true,
  async open() {
    const database = await target.open();
    const connect = async () => asHosted(await driver.connect({ fields: database.fields, log() {} }, call()));
    return { ...database, connect };
  },
});

// In the app, a call that is already aborted, or that comes after the close, does not reach the driver.
function asHosted(session) {
  let closed = false;
  const close = async () => {
    closed = true;
  };
  const guard = (method) => async (...args) => {
    const { signal } = args.at(-1) ?? {};
    if (closed || signal?.aborted) throw new DriverError({ code: 'cancelled', message: 'Cancelled' });
    return method(...args);
  };
  const methods = Object.entries(session).map(([name, value]) => [
    name,
    typeof value === 'function' ? guard(value) : value,
  ]);
  return { ...Object.fromEntries(methods), close };
}
`;
