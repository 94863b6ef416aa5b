import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { serveControl } from './control/server.ts';
import { controlSocketPath } from './control/socket-path.ts';
import { tryInstanceLock } from './instance-lock.ts';
import { claimInstance } from './single-instance.ts';

let folder: string;
beforeEach(() => {
  const home = mkdtempSync(join(tmpdir(), 'trestle-claim-'));
  const lock = tryInstanceLock(home);
  folder = home;
  return () => {
    lock?.release();
    rmSync(home, { recursive: true });
  };
});

test('a running app that refuses the control secret is reported', async () => {
  const server = await serveControl(folder, async () => null);
  onTestFinished(() => server.close());
  rmSync(join(folder, 'control-secret'));
  await expect(claimInstance(folder)).rejects.toMatchObject({ code: 'forbidden' });
});

test('a suspended app is waited for, then reported because it does not answer', async () => {
  const suspended = createServer((socket) => socket.resume().on('error', () => {}));
  await new Promise<void>((ready) => suspended.listen(controlSocketPath(folder), ready));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
    suspended.close();
  });
  const onWait = vi.fn();
  let problem: unknown;
  const claim = claimInstance(folder, { onWait }).catch((error: unknown) => {
    problem = error;
  });
  vi.advanceTimersByTime(1000);
  expect(onWait).toHaveBeenCalledOnce();
  while (!problem) {
    vi.advanceTimersByTime(1000);
    await new Promise((turn) => setImmediate(turn));
  }
  await claim;
  expect(problem).toMatchObject({ code: 'timeout', message: expect.stringContaining('does not answer') });
  expect(onWait).toHaveBeenCalledOnce();
});
