import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@trestle/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveControl } from '../control/server.ts';
import { execute } from './plugins.ts';

function createHome(): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-plugins-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv('TRESTLE_HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

test.each([
  [[], 'Updated a to 2.'],
  [['--json'], '[\n  {\n    "name": "a",\n    "version": "2"\n  }\n]\n'],
])('with the flags %j, the first update is printed even if the second fails', async (flags, printed) => {
  const folder = createHome();
  const drivers = ['a', 'b'].map((id) => ({ manifest: { id }, isUpdate: true, installed: '1' }));
  const server = await serveControl(folder, async (command, input) => {
    if (command === 'plugins.search') return { registry: { problem: null }, drivers };
    if (input === 'a') return { name: 'a', version: '2' };
    throw new AppError({ code: 'refused', message: 'The package is damaged' });
  });
  onTestFinished(() => server.close());
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    log.mockRestore();
    write.mockRestore();
  });
  const updating = execute({ args: ['update', ...flags], dist: folder });
  await expect(updating).rejects.toThrow('The package is damaged');
  expect([...log.mock.calls, ...write.mock.calls]).toEqual([[printed]]);
});

test('an install that waits for open connections names them once', async () => {
  const folder = createHome();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const server = await serveControl(folder, async (command) => {
    if (command === 'jobs.get') {
      return { progress: { words: 'Waits until “Prod”, “Test” are closed' }, detail: { steps: ['wait'] } };
    }
    await closed;
    return { name: 'A', version: '2' };
  });
  onTestFinished(() => server.close());
  const log = vi.spyOn(console, 'log').mockReturnValue();
  // The wait is longer than the time between two checks, so a second message would be seen.
  const error = vi.spyOn(console, 'error').mockImplementation(() => void setTimeout(close, 1_200));
  onTestFinished(() => {
    log.mockRestore();
    error.mockRestore();
  });
  expect(await execute({ args: ['install', 'a'], dist: folder })).toBe(0);
  expect(error.mock.calls).toEqual([['Waits until “Prod”, “Test” are closed. Ctrl-C ends the wait.']]);
  expect(log.mock.calls).toEqual([['Installed A 2.']]);
});

test('a search that finds no driver says so', async () => {
  const folder = createHome();
  const drivers = [{ manifest: { id: 'weaviate', name: 'Weaviate', summary: 'Vector database' } }];
  const server = await serveControl(folder, async () => ({ registry: { problem: null }, drivers }));
  onTestFinished(() => server.close());
  const error = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => error.mockRestore());
  expect(await execute({ args: ['search', 'SQL'], dist: folder })).toBe(0);
  expect(error.mock.calls).toEqual([['No driver of the registry contains "SQL".']]);
});

test('a search in a registry that is not trusted yet prints the problem and no table', async () => {
  const folder = createHome();
  const problem = { code: 'refused', message: 'The key is not confirmed yet', hint: 'Compare it.' };
  const server = await serveControl(folder, async () => ({ registry: { problem }, drivers: [] }));
  onTestFinished(() => server.close());
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const log = vi.spyOn(console, 'log').mockReturnValue();
  onTestFinished(() => {
    error.mockRestore();
    log.mockRestore();
  });
  expect(await execute({ args: ['search'], dist: folder })).toBe(1);
  expect(error.mock.calls).toEqual([['The key is not confirmed yet. Compare it.']]);
  expect(log.mock.calls).toEqual([]);
});
