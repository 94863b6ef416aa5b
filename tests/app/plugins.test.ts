import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { create, extract } from 'tar';
import { expect, onTestFinished, test } from 'vitest';
import { trust } from '../faults/own-registry.ts';
import { connectBridge } from './bridge.ts';
import { createHome } from './trestle.ts';

const dist = join(import.meta.dirname, '..', '..', 'dist');
const [shipped = ''] = globSync(join(dist, 'registry', 'weaviate-*.tgz'));

/** The registry's Weaviate package with a changed manifest. */
async function repack(changes: { id?: string; name?: string; version?: string }): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const content = join(folder, 'content');
  mkdirSync(content);
  await extract({ file: shipped, cwd: content });
  const manifest = JSON.parse(readFileSync(join(content, 'manifest.json'), 'utf8'));
  writeFileSync(join(content, 'manifest.json'), JSON.stringify({ ...manifest, ...changes }));
  await create({ cwd: content, file: join(folder, 'package.tgz'), gzip: true }, readdirSync(content));
  return join(folder, 'package.tgz');
}

const installed = async (home: ReturnType<typeof createHome>) => {
  const all: { id: string; version: string }[] = await home.json('plugins', 'list');
  return all.map(({ id, version }) => `${id} ${version}`);
};

test.each([
  ['with the app running', true],
  ['without the app', false],
])('%s, a driver is found, installed, listed and removed', async (_name, isRunning) => {
  const home = createHome();
  if (isRunning) await home.start();
  expect(await installed(home)).toEqual(['sqlite 0.1.0']);
  expect((await home.run(['plugins', 'search', 'vector'])).stdout).toMatch(
    /^NAME .*\nWeaviate +0\.1\.0 +\d+ kB +weaviate\n$/,
  );
  // A folder named like the driver's id is not taken for a package file.
  const cwd = mkdtempSync(join(home.folder, 'work-'));
  mkdirSync(join(cwd, 'weaviate'));
  expect(await home.run(['plugins', 'install', 'weaviate'], { cwd })).toEqual({
    code: 0,
    stdout: 'Installed Weaviate 0.1.0.\n',
    stderr: '',
  });
  expect(await home.run(['plugins', 'update'])).toMatchObject({ stdout: 'There is nothing to update.\n' });
  expect(await installed(home)).toEqual(['sqlite 0.1.0', 'weaviate 0.1.0']);
  expect(await home.run(['plugins', 'remove', 'weaviate'])).toMatchObject({
    code: 0,
    stdout: 'Removed weaviate.\n',
  });
  expect(await installed(home)).toEqual(['sqlite 0.1.0']);
});

test('the app installs no driver at its start; testing a saved connection installs its driver without asking the user', async () => {
  const home = createHome();
  await home.start();
  expect(await installed(home)).toEqual(['sqlite 0.1.0']);
  expect((await home.run(['connections', 'test', 'Sample: Weaviate'])).code).toBe(0);
  expect(await installed(home)).toEqual(['sqlite 0.1.0', 'weaviate 0.1.0']);
});

test('a client’s first call on a saved connection installs the missing driver, and is answered', async () => {
  const home = createHome();
  await home.start(['--no-window']);
  expect(await installed(home)).toEqual(['sqlite 0.1.0']);
  const call = await connectBridge(home.folder);
  expect(await call('list_tables', { connection_id: 'Sample: Weaviate' })).toContain('Mission (collection)');
  expect(await installed(home)).toEqual(['sqlite 0.1.0', 'weaviate 0.1.0']);
});

test('a client’s call reports that the registry cannot be read; after the registry is back, a call installs the driver', async () => {
  const home = createHome();
  const folder = mkdtempSync(join(tmpdir(), 'trestle-moved-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(dist, 'registry'), join(folder, 'registry'), { recursive: true });
  const env = { TRESTLE_REGISTRY: pathToFileURL(join(folder, 'registry/')).href };
  await trust(home, env);
  await home.start(['--no-window'], { env });
  renameSync(join(folder, 'registry'), join(folder, 'away'));
  const call = await connectBridge(home.folder);
  expect(await call('list_tables', { connection_id: 'Sample: Weaviate' })).toMatch(
    /The plugin registry at .* cannot be read/,
  );
  expect(await installed(home)).toEqual(['sqlite 0.1.0']);
  renameSync(join(folder, 'away'), join(folder, 'registry'));
  expect(await call('list_tables', { connection_id: 'Sample: Weaviate' })).not.toContain('cannot be read');
  expect(await installed(home)).toEqual(['sqlite 0.1.0', 'weaviate 0.1.0']);
});

test('without the app, the user can trust the key of a registry on a web server', async () => {
  const home = createHome();
  const server = createServer((request, response) => {
    response.end(readFileSync(join(dist, 'registry', request.url!.slice(1))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const env = { TRESTLE_REGISTRY: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  await trust(home, env);
  const { code, stdout } = await home.run(['plugins', 'search', 'vector'], { env });
  expect([code, stdout]).toEqual([0, expect.stringContaining('weaviate')]);
});

test('a package file with a new id is installed, but a changed package with an id of the registry is refused', async () => {
  const home = createHome();
  const own = await repack({ id: 'mine', name: 'Mine' });
  expect(await home.run(['plugins', 'install', own])).toMatchObject({
    code: 0,
    stdout: 'Installed Mine 0.1.0.\n',
  });
  const taken = await home.run(['plugins', 'install', await repack({ version: '0.2.0' })]);
  expect([taken.code, taken.stderr]).toEqual([
    1,
    expect.stringContaining('the id weaviate belongs to Trestle (this checkout) in the registry'),
  ]);
  // An unchanged package of the registry may be installed from a file.
  expect(await home.run(['plugins', 'install', shipped])).toMatchObject({ code: 0 });
  expect(await installed(home)).toEqual(['sqlite 0.1.0', 'mine 0.1.0', 'weaviate 0.1.0']);
});

test('if the registry is unreachable, plugins install says so, and plugins list still works', async () => {
  const home = createHome();
  const env = { TRESTLE_REGISTRY: 'http://127.0.0.1:9/' };
  const { code, stderr } = await home.run(['plugins', 'install', 'weaviate'], { env });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('The plugin registry at 127.0.0.1:9 cannot be read'),
  ]);
  expect((await home.run(['plugins', 'list'], { env })).code).toBe(0);
});
