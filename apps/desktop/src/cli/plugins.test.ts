import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@trestle/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveControl } from '../control/server.ts';
import { execute } from './plugins.ts';

test.each([
  [[], 'Updated a to 2.'],
  [['--json'], '[\n  {\n    "name": "a",\n    "version": "2"\n  }\n]\n'],
])('with the flags %j, the first update is printed even if the second fails', async (flags, printed) => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-plugins-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv('TRESTLE_HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
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
