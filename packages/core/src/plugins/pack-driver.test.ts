import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { list } from 'tar';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/test-core.ts';
import { packDriver } from './pack-driver.ts';
import { driverEntries } from './testing/driver-package.ts';

test('a package leaves out files that only the author needs, but contains contract.js and package.json of subfolders', async () => {
  const folder = temporaryFolder();
  const write = (name: string, text = '') => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const { path, body } of driverEntries()) write(path!, String(body));
  for (const name of [
    '.env',
    '.git/config',
    'node_modules/a/index.js',
    'package-lock.json',
    'tsconfig.json',
  ]) {
    write(name);
    write(`lib/${name}`);
  }
  for (const name of ['a.ts', 'a-1.0.0.tgz', 'a.js', 'contract.js', 'package.json']) {
    write(name);
    write(`lib/${name}`);
  }
  const file = await packDriver(folder, temporaryFolder());
  const packed: string[] = [];
  await list({ file, onReadEntry: ({ path }) => packed.push(path) });
  const own = driverEntries().map(({ path }) => path);
  expect(packed.sort()).toEqual(
    [...own, 'a.js', 'lib/', 'lib/a.js', 'lib/contract.js', 'lib/package.json'].sort(),
  );
});

test.each(['contract.js', '.driver.js'])(
  'a package contains its entry file %s, and a folder @scope',
  async (entry) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, '@scope'));
    writeFileSync(join(folder, '@scope', 'a.js'), '');
    writeFileSync(join(folder, entry), '');
    writeFileSync(join(folder, 'manifest.json'), String(driverEntries({ entry })[0]!.body));
    const file = await packDriver(folder, temporaryFolder());
    const packed: string[] = [];
    await list({ file, onReadEntry: ({ path }) => packed.push(normalize(path)) });
    expect(packed.sort()).toEqual([entry, 'manifest.json', '@scope/', '@scope/a.js'].sort());
  },
);
