import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { testCore } from '../testing/test-core.ts';
import { driverEntries, packageOf, workingDriver } from './testing/driver-package.ts';

// If the tests run as root, permissions do not stop a read. So this mock makes the read fail.
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    readdirSync: (path: string, options?: never) => {
      if (path.endsWith('unreadable')) throw new Error('EACCES: permission denied');
      return fs.readdirSync(path, options);
    },
  };
});

test('an unreadable driver folder is logged, and the other drivers load', async () => {
  const { core, home } = await testCore();
  const packaged = packageOf(driverEntries({ version: '1.0.0' }, workingDriver));
  await core.drivers.installFromFile(packaged, { signal: new AbortController().signal });
  await core.close();
  const folder = join(home, 'plugins');
  mkdirSync(join(folder, 'unreadable'));
  mkdirSync(join(folder, '.replaced-unreadable@1.0.0'));
  renameSync(join(folder, 'plugin', '1.0.0'), join(folder, '.replaced-plugin@1.0.0'));
  const again = await testCore({ home });
  expect(again.core.drivers.get('plugin')?.version).toBe('1.0.0');
  expect(again.logged.join()).toContain('The driver in this folder cannot be used');
});
