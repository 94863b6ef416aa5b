import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { create, extract } from 'tar';
import { expect, onTestFinished, test } from 'vitest';
import { enterWindow } from '../enter-window.ts';
import { createHome } from './trestle.ts';

const plugins = join(import.meta.dirname, '..', '..', 'dist', 'plugins');
const shipped = join(plugins, readdirSync(plugins).find((name) => name.startsWith('weaviate-'))!);

/** The shipped package with another version in its manifest. */
async function repack(version: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-package-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const content = join(folder, 'content');
  mkdirSync(content);
  await extract({ file: shipped, cwd: content });
  const manifest = JSON.parse(readFileSync(join(content, 'manifest.json'), 'utf8'));
  writeFileSync(join(content, 'manifest.json'), JSON.stringify({ ...manifest, version }));
  await create({ cwd: content, file: join(folder, 'package.tgz'), gzip: true }, readdirSync(content));
  return join(folder, 'package.tgz');
}

const weaviate = async (home: ReturnType<typeof createHome>) => {
  const all: { id: string; version: string }[] = await home.json('plugins', 'list');
  return all.find(({ id }) => id === 'weaviate')?.version;
};

test.each([
  ['with the app running', true],
  ['without the app', false],
])('%s a driver is installed from a file, listed and removed', async (_name, isRunning) => {
  const home = createHome();
  if (isRunning) await home.start();
  const newer = await repack('0.2.0');
  cpSync(newer, join(home.folder, 'here.tgz'));
  const installed = await home.run(['plugins', 'install', 'here.tgz'], { cwd: home.folder });
  expect(installed).toEqual({ code: 0, stdout: 'Installed Weaviate 0.2.0.\n', stderr: '' });
  const listed = await home.run(['plugins', 'list']);
  expect(listed.stdout).toMatch(
    /^NAME .*\nSQLite +\S+ +bundled +sqlite\nWeaviate +0\.2\.0 +installed +weaviate\n$/,
  );
  expect(await home.run(['plugins', 'remove', 'weaviate'])).toMatchObject({
    code: 0,
    stdout: 'Removed weaviate.\n',
  });
  expect(await weaviate(home)).toBeUndefined();
  if (isRunning) {
    const { code, stderr } = await home.run(['connections', 'test', 'Sample: Weaviate']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The driver weaviate is not installed\. /)]);
  }
});

test('the package beside the app neither undoes an update nor a removal', async () => {
  const home = createHome();
  expect(await weaviate(home)).toBe('0.1.0');
  await home.json('plugins', 'install', await repack('0.2.0'));
  expect(await weaviate(home)).toBe('0.2.0');
  await home.json('plugins', 'remove', 'weaviate');
  const app = await home.start();
  expect(await weaviate(home)).toBeUndefined();
  app.process.kill('SIGTERM');
  expect(await app.exited).toBe(0);
});

test('a driver in use stays, and the connection that uses it is named', async () => {
  const home = createHome();
  await home.start();
  const samples: { id: string; name: string }[] = await home.json('connections', 'list');
  const { stdout } = await home.run(['--no-window']);
  const link = /http:\S+/.exec(stdout)![0];
  const entry = await enterWindow(link);
  const { origin } = entry;
  const headers = { ...entry.headers, 'content-type': 'application/json' };
  const body = JSON.stringify(samples[0]!.id);
  expect((await fetch(`${origin}/api/sessions.open`, { method: 'POST', headers, body })).status).toBe(200);
  for (const args of [
    ['remove', 'weaviate'],
    ['install', await repack('0.2.0')],
  ]) {
    const { code, stderr } = await home.run(['plugins', ...args]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('Weaviate 0.1.0 is in use by "Sample: Weaviate". Disconnect and try again.'),
    ]);
  }
  expect((await fetch(`${origin}/api/sessions.close`, { method: 'POST', headers, body })).status).toBe(200);
  expect((await home.run(['plugins', 'install', await repack('0.2.0')])).code).toBe(0);
  expect((await home.run(['connections', 'test', 'Sample: Weaviate'])).code).toBe(0);
});
