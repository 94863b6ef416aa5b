import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyPackageFolder } from './package-folder.ts';

function folderWith(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'trestle-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'registry'));
  for (const name of names) writeFileSync(join(folder, name), 'x');
  return folder;
}

test('the packages of an earlier run are removed', () => {
  const folder = folderWith('SHA256SUMS', 'trestle_0.2.0_amd64.deb', 'trestle-0.2.0-linux-x64.tar.gz');
  emptyPackageFolder(folder);
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder with a file that is not a package is refused and left as it is', () => {
  const folder = folderWith('SHA256SUMS', 'letters.txt');
  expect(() => emptyPackageFolder(folder)).toThrow('letters.txt is not a package');
  expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', 'letters.txt', 'registry']);
});

test('a missing folder is created', () => {
  const folder = join(folderWith(), 'new', 'one');
  emptyPackageFolder(folder);
  expect(existsSync(folder)).toBe(true);
});
