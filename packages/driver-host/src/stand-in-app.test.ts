import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const entry = join(import.meta.dirname, 'testing/stand-in-app.ts');

test('a driver cannot open the inspector of the app', async () => {
  const attack = "process.kill(process.ppid, 'SIGUSR1')";
  const { line } = startApp(['--inspect-port=0'], attack, 'inspect', '10');
  expect(await line).toEqual({ inspector: null });
});

test('a signal opens no inspector in an app that runs with --disable-sigusr1', async () => {
  const exposed = startApp(['--inspect-port=0'], '', 'signalled', '100');
  expect(await exposed.line).toEqual({ inspector: 'ws' });
  const shielded = startApp(['--inspect-port=0', '--disable-sigusr1'], '', 'signalled', '10');
  expect(await shielded.line).toEqual({ inspector: null });
});

test('a driver ends with the app: when the app is killed, and when it exits while the driver spins', async () => {
  const killed = startApp([], 'await new Promise(() => {})', 'stay');
  const { pid: idle } = await killed.line;
  expect(isRunning(idle)).toBe(true);
  killed.app.kill('SIGKILL');
  await expect.poll(() => isRunning(idle), { timeout: 10_000 }).toBe(false);

  const exiting = startApp([], 'for (;;);', 'exit');
  const { pid: spinning } = await exiting.line;
  await expect.poll(() => isRunning(spinning), { timeout: 10_000 }).toBe(false);
});

test('where the kernel does not end a driver with the app, a thread ends the driver', async () => {
  const watch = JSON.stringify(join(import.meta.dirname, 'watch-app.ts'));
  const driver = `import { watchApp } from ${watch};
    watchApp({ endsWithApp: false });
    console.log(JSON.stringify({ pid: process.pid, worker: process.permission.has('worker') }));
    for (;;);`;
  const app = `const flags = ['--permission', '--allow-worker', '--allow-fs-read=*', '--disable-warning=PERM0006'];
    const args = [...flags, '--input-type=module', '-e', process.argv[1]];
    const driver = require('node:child_process').spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    driver.stdout.once('data', (line) => process.stdout.write(line, () => process.exit(0)));`;
  const started = spawn(process.execPath, ['-e', app, driver], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(started.stdout, 'data');
  const { pid, worker } = JSON.parse(String(line));
  onTestFinished(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
  expect(worker).toBe(false);
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});

test('a driver ignores SIGINT and SIGHUP: Ctrl-C reaches the whole process group, but the app ends its drivers itself', async () => {
  const { line } = startApp([], 'await new Promise(() => {})', 'stay');
  const { pid } = await line;
  process.kill(pid, 'SIGINT');
  process.kill(pid, 'SIGHUP');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(isRunning(pid)).toBe(true);
});

function startApp(
  flags: string[],
  script: string,
  ...then: ['inspect' | 'signalled', string] | ['stay' | 'exit']
) {
  const app = spawn(process.execPath, [...flags, entry, script, ...then], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void app.kill('SIGKILL'));
  const line = once(app.stdout, 'data').then(([chunk]) => JSON.parse(String(chunk)));
  return { app, line };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
