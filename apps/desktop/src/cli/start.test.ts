import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveControl } from '../control/server.ts';
import { tryInstanceLock } from '../instance-lock.ts';
import { execute } from './start.ts';

test('an app that stops before it gives a link is reported, and no link is printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-start-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  vi.stubEnv('TRESTLE_HOME', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const lock = tryInstanceLock(folder)!;
  onTestFinished(() => lock.release());
  const server = await serveControl(folder, async (command) => {
    if (command === 'announceMcp') void server.close();
    return command === 'status' ? { folder, version: '0' } : null;
  });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const starting = execute({ args: ['--no-window'], dist: join(folder, 'dist') });
  await expect(starting).rejects.toMatchObject({ message: 'Trestle stopped meanwhile' });
  expect(write.mock.calls.flat().join('')).not.toContain('Open');
});
