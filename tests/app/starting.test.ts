import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createHome, launcher } from './trestle.ts';

const root = join(import.meta.dirname, '..', '..');
const onLinux = test.runIf(process.platform === 'linux');

async function occupy(port: number): Promise<void> {
  const server: Server = createServer();
  // If another program already has the port, the port is taken as well.
  await new Promise<void>((resolve) =>
    server.once('error', () => resolve()).listen(port, '127.0.0.1', resolve),
  );
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
}

test('while the preferred ports are taken, each start uses the same other ports', async () => {
  await occupy(23507);
  await occupy(23508);
  const home = createHome();
  const ports = async () => {
    const app = await home.start();
    const { uiAddress, mcpPort } = await home.json('status');
    app.process.kill('SIGTERM');
    expect(await app.exited).toBe(0);
    return [Number(new URL(uiAddress).port), mcpPort];
  };
  const first = await ports();
  expect(first).not.toContain(23507);
  expect(first).not.toContain(23508);
  expect(await ports()).toEqual(first);
  expect(await ports()).toEqual(first);
});

onLinux('after an update, a start by the user stops the earlier build and says so', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'trestle-update-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  mkdirSync(join(copy, 'runtime'));
  cpSync(join(root, 'bin'), join(copy, 'bin'), { recursive: true });
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true });
  symlinkSync(process.execPath, join(copy, 'runtime', 'node'));
  const home = createHome();
  const command = join(copy, 'bin', 'trestle');
  const earlier = await home.start(['--no-window'], { command });

  // A newer file makes the copy another build, although the file's content is the same.
  cpSync(join(root, 'dist', 'trestle.js'), join(copy, 'dist', 'trestle.js'));
  const byBridge = await home.run(['start', '--no-window'], {
    command,
    env: { TRESTLE_STARTED_BY: 'bridge' },
  });
  expect(byBridge.code).toBe(0);
  expect((await home.json('status')).pid).toBe(earlier.pid);

  const later = await home.start(['--no-window'], { command });
  expect(later.output()).toContain(
    `Trestle was updated. Stopping the earlier build that still runs (process ${earlier.pid}) …`,
  );
  expect(await earlier.exited).toBe(0);
  expect((await home.json('status')).pid).toBe(later.pid);
  const again = await home.run(['start', '--no-window'], { command });
  expect(again.stdout).not.toContain('updated');
  expect((await home.json('status')).pid).toBe(later.pid);
});

onLinux('after the source changes, npm start builds, stops the earlier build and says so', async () => {
  const checkout = await createCheckout();
  const home = createHome();
  onTestFinished(async () => void (await home.run(['stop'])));
  const command = { command: 'npm', cwd: checkout, env: { PATH: process.env.PATH ?? '' } };
  const npmStart = () => home.start(['start', '--', '--no-window'], command);
  const earlier = await npmStart();
  const { pid } = await home.json('status');
  expect(earlier.output()).not.toMatch(/Building|updated/);

  appendFileSync(join(checkout, 'apps', 'desktop', 'src', 'main.ts'), '\nprocess.title = "A later build";\n');
  const later = await npmStart();
  expect(later.output()).toMatch(/^Building desktop/m);
  expect(later.output()).toContain(
    `Trestle was updated. Stopping the earlier build that still runs (process ${pid}) …`,
  );
  expect(await earlier.exited).toBe(0);
  expect((await home.json('status')).pid).not.toBe(pid);
});

/** The sources and their build in another folder, with this checkout's dependencies. */
async function createCheckout(): Promise<string> {
  const checkout = mkdtempSync(join(tmpdir(), 'trestle-checkout-'));
  onTestFinished(() => rmSync(checkout, { recursive: true, force: true, maxRetries: 5 }));
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folders = new Set<string>(workspaces.map((one: string) => one.split('/')[0]));
  const files = ['package.json', 'package-lock.json', 'LICENSE', 'scripts', 'templates', 'dist', ...folders];
  for (const name of files) cpSync(join(root, name), join(checkout, name), { recursive: true });
  const modules = join(checkout, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== '.trestle-install') symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  writeFileSync(join(modules, '.trestle-install'), lock.digest('hex'));
  // Marks the copies as built.
  const stale = await import(pathToFileURL(join(checkout, 'scripts', 'stale.mjs')).href);
  for (const target of stale.listTargets()) stale.markBuilt(target, stale.fingerprintOf(target));
  return checkout;
}

onLinux.each(['/dev/null/trestle', '/dev/full', '/proc/trestle'])(
  'with a data directory at %s, a command fails with a message, and the status says that the app does not run',
  async (folder) => {
    const home = createHome();
    for (const args of [
      ['start', '--no-window'],
      ['connections', 'list'],
      ['tokens', 'list'],
    ]) {
      const { code, stderr } = await home.run(args, { env: { TRESTLE_HOME: folder } });
      expect([args[0], code]).toEqual([args[0], 1]);
      expect(stderr).toMatch(
        /^The data directory \S+ cannot be used: .*name another one in TRESTLE_HOME\.\n$/,
      );
    }
    const { code, stdout } = await home.run(['status'], { env: { TRESTLE_HOME: folder } });
    expect([code, stdout]).toEqual([3, 'Trestle is not running.\n']);
  },
);

onLinux('a command whose output device is full fails with a message', async () => {
  const home = createHome();
  for (const args of [['start', '--no-window'], ['connections', 'list'], ['status', '--json'], ['--help']]) {
    const env = { HOME: home.folder, PATH: '/usr/bin:/bin', TRESTLE_HOME: home.folder };
    const child = spawn(launcher, args, { env, stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr?.on('data', (chunk) => (stderr += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect([args[0], code]).toEqual([args[0], 1]);
    expect(stderr).toBe(
      'The output cannot be written: its disk is full, or a size limit is reached (ENOSPC). Send it elsewhere.\n',
    );
  }
  expect(existsSync(join(home.folder, 'mcp-handshake.json'))).toBe(false);
});

onLinux(
  'a start in a checkout that cannot be written says so and does not wait for the build lock',
  async () => {
    const checkout = mkdtempSync(join(tmpdir(), 'trestle-readonly-'));
    onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
    const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const folders = new Set(workspaces.map((one: string) => one.split('/')[0]));
    for (const name of [
      'scripts',
      'package.json',
      'package-lock.json',
      'node_modules',
      ...folders,
    ] as string[]) {
      symlinkSync(join(root, name), join(checkout, name));
    }
    rmSync(join(checkout, 'scripts'));
    cpSync(join(root, 'scripts'), join(checkout, 'scripts'), { recursive: true });
    // Nobody can create a file in /proc/self, not even root.
    symlinkSync('/proc/self', join(checkout, 'dist'));
    const child = spawn(process.execPath, [join(checkout, 'scripts', 'start.mjs'), '--no-window'], {
      env: { PATH: process.env.PATH, HOME: checkout, TRESTLE_HOME: join(checkout, 'home') },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Trestle must be built, and \S+ cannot be written \(E\w+\)\. Make it writable/);
  },
);
