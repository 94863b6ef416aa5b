import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { enterWindow, tryEntry } from '../enter-window.ts';
import { createHome, launcher, type RunningApp } from './trestle.ts';

test('the app prints a link that admits one browser, and leaves no handshake, socket or WAL when it stops', async () => {
  const home = createHome();
  const app = await home.start();
  expect(await home.json('status')).toEqual({
    state: 'running',
    pid: app.pid,
    version: '0.1.0',
    uiAddress: new URL('/', app.link).href,
    mcpState: 'running',
    mcpPort: expect.any(Number),
    preferredMcpPort: 23_508,
    mcpProblem: null,
    logProblem: null,
    damage: null,
    questions: 0,
    folder: expect.any(String),
    build: expect.stringMatching(/^\w+$/),
    dataDirectory: home.folder,
  });
  const page = await fetch(app.link);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(await page.text()).toContain('<title>Trestle</title>');
  await enterWindow(app.link);
  const { origin, hash } = new URL(app.link);
  expect((await tryEntry(origin, hash.replace('#key=', ''))).status).toBe(401);

  expect(await home.run(['stop'])).toEqual({ code: 0, stdout: 'Trestle has stopped.\n', stderr: '' });
  expect(await app.exited).toBe(0);
  for (const left of ['mcp-handshake.json', 'control.sock', 'trestle.db-wal']) {
    expect([left, existsSync(join(home.folder, left))]).toEqual([left, false]);
  }
  expect(await home.run(['status'])).toEqual({ code: 3, stdout: 'Trestle is not running.\n', stderr: '' });
  expect(await home.run(['stop'])).toEqual({ code: 0, stdout: 'Trestle is not running.\n', stderr: '' });
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s stops the app cleanly', async (signal) => {
  const home = createHome();
  const app = await home.start();
  app.process.kill(signal);
  expect(await app.exited).toBe(0);
  expect(existsSync(join(home.folder, 'mcp-handshake.json'))).toBe(false);
});

test('the compile cache holds only this build and is private; the app also starts if the cache is damaged or is no folder', async () => {
  const home = createHome();
  const cache = join(home.folder, 'compile-cache');
  mkdirSync(join(cache, '0.0.1-old'), { recursive: true });
  const stop = async (app: RunningApp) => {
    app.process.kill('SIGTERM');
    expect(await app.exited).toBe(0);
  };
  const start = () => home.start([], { env: { NODE_COMPILE_CACHE: '' } });
  await stop(await start());
  expect(readdirSync(cache)).toEqual([expect.stringMatching(/^0\.1\.0-\w+$/)]);
  expect(statSync(join(cache, readdirSync(cache)[0]!)).mode & 0o777).toBe(0o700);
  const files = readdirSync(cache, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(files.length).toBeGreaterThan(0);
  for (const { parentPath, name } of files) writeFileSync(join(parentPath, name), 'spoilt');
  await stop(await start());
  rmSync(cache, { recursive: true });
  writeFileSync(cache, 'no folder');
  await stop(await start());
});

test('the app answers the Quit request of the window, and then stops', async () => {
  const home = createHome();
  const app = await home.start();
  const entry = await enterWindow(app.link);
  const { origin } = entry;
  const headers = { ...entry.headers, 'content-type': 'application/json' };
  expect((await fetch(`${origin}/api/app.quit`, { method: 'POST', headers })).status).toBe(200);
  expect(await app.exited).toBe(0);
});

test('SIGTERM before the app is ready also stops it cleanly', async () => {
  const home = createHome();
  const starting = home.start();
  const log = join(home.folder, 'logs', 'trestle.log');
  // The file exists a moment before its first line is written.
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8').includes('\n')).toBe(true);
  const { pid } = JSON.parse(readFileSync(log, 'utf8').split('\n')[0]!);
  process.kill(pid, 'SIGTERM');
  const code = await starting.then(
    (app) => app.exited,
    (error: Error) => /ended with (\S+):/.exec(error.message)?.[1],
  );
  expect(Number(code)).toBe(0);
  expect(existsSync(join(home.folder, 'mcp-handshake.json'))).toBe(false);
});

test('a second start hands over to the first and prints a fresh link', async () => {
  const home = createHome();
  const app = await home.start();
  for (const args of [[], ['start'], ['--no-window']]) {
    const second = await home.run(args);
    expect(second.code).toBe(0);
    const link = /http:\S+/.exec(second.stdout)![0];
    expect(link).not.toBe(app.link);
    await enterWindow(link);
  }
  await enterWindow(app.link);
  expect((await home.json('status')).pid).toBe(app.pid);
});

test('if five apps start at the same time, one app runs and the others hand over to it', async () => {
  const home = createHome();
  const starts = Array.from({ length: 5 }, () => home.start());
  const apps = await Promise.all(starts);
  const { pid } = await home.json('status');
  const losers = apps.filter((app) => app.pid !== pid);
  expect(losers).toHaveLength(4);
  expect(await Promise.all(losers.map((app) => app.exited))).toEqual([0, 0, 0, 0]);
  for (const app of apps) await enterWindow(app.link);
});

test('the app starts again after kill -9, and still has the saved token', async () => {
  const home = createHome();
  const app = await home.start();
  const { token } = await home.json('tokens', 'create', '--name', 'kept');
  app.process.kill('SIGKILL');
  await app.exited;
  expect(existsSync(join(home.folder, 'control.sock'))).toBe(true);
  expect((await home.run(['status'])).code).toBe(3);
  const again = await home.start();
  await enterWindow(again.link);
  expect(await home.json('tokens', 'list')).toEqual([token]);
});

test('the app keeps running when its standard output and error are closed', async () => {
  const home = createHome();
  const app = await home.start();
  app.process.stdout!.destroy();
  app.process.stderr!.destroy();
  expect((await home.json('status')).pid).toBe(app.pid);
  app.process.kill('SIGTERM');
  expect(await app.exited).toBe(0);
});

test('a data directory with a long path has its socket elsewhere', async () => {
  const outer = mkdtempSync(join(tmpdir(), 'trestle-long-'));
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
  const folder = join(outer, 'x'.repeat(120));
  mkdirSync(folder);
  const home = createHome(folder);
  const app = await home.start();
  expect((await home.json('status')).pid).toBe(app.pid);
  expect(existsSync(join(folder, 'control.sock'))).toBe(false);
  expect((await home.run(['stop'])).code).toBe(0);
});

test('the launcher runs through symbolic links, from another folder', async () => {
  const home = createHome();
  mkdirSync(join(home.folder, 'bin'));
  symlinkSync(launcher, join(home.folder, 'bin', 'first'));
  symlinkSync('first', join(home.folder, 'bin', 'trestle'));
  const outcome = await home.run(['--version'], { command: join(home.folder, 'bin', 'trestle'), cwd: '/' });
  expect(outcome).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
});

test('the log contains no link, code or key', async () => {
  const home = createHome();
  const app = await home.start();
  const { headers } = await enterWindow(app.link);
  await home.run(['stop']);
  const log = readFileSync(join(home.folder, 'logs', 'trestle.log'), 'utf8');
  expect(log).toContain('"msg":"started"');
  const code = /code (\S+)/.exec(app.output())![1]!;
  for (const secret of [new URL(app.link).hash.slice(5), code, headers['x-trestle-key']!]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(log).not.toContain(secret);
  }
});
