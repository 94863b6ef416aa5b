import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
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

test.each([
  [['lib/a.js', 'lib/A.js'], /"lib\/(a|A)\.js" differs from "lib\/(a|A)\.js" only in letter case/],
  [['Lib/a.js', 'lib/b.js'], /"lib" differs from "Lib" only in letter case/],
  [['nul.js'], /"nul.js" is the name of a device on Windows/],
])('a folder with the files %j is not packed, and no package is left', async (names, message) => {
  const [folder, into] = [temporaryFolder(), temporaryFolder()];
  for (const { path, body } of driverEntries()) writeFileSync(join(folder, path!), String(body));
  for (const name of names) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
  await expect(packDriver(folder, into)).rejects.toThrow(message);
  expect(readdirSync(into)).toEqual([]);
});
