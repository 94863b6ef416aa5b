import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type HandleCommand, serveControl } from '../control/server.ts';
import { execute } from './export.ts';
import { withCore } from './with-core.ts';

async function runningApp(handle: HandleCommand): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-command-'));
  vi.stubEnv('TRESTLE_HOME', folder);
  const server = await serveControl(folder, handle);
  onTestFinished(async () => {
    await server.close();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('a command waits for an app that is busy for half a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  await runningApp(async () => vi.advanceTimersByTime(30_000));
  expect(await withCore('', async () => 'ran')).toBe('ran');
});

test('Ctrl-C ends an export that waits for its connection', async () => {
  const cancelled = Promise.withResolvers<void>();
  const folder = await runningApp(async (command, _input, { signal }) => {
    if (command === 'connections.list') return [{ id: 'c', name: 'Slow' }];
    if (command !== 'exports.begin') return null;
    signal.addEventListener('abort', () => cancelled.resolve());
    process.emit('SIGINT');
    await cancelled.promise;
    throw new Error('cancelled');
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => stderr.mockRestore());
  const args = ['Slow', 'books', '--out', join(folder, 'books.csv')];
  expect(await execute({ args, dist: '' } as Parameters<typeof execute>[0])).toBe(130);
  await cancelled.promise;
  expect(stderr.mock.calls.join()).toContain('Cancelled. No file was written.');
});
