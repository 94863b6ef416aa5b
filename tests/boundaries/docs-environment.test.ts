import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './import-table.ts';

const root = join(import.meta.dirname, '..', '..');

test('docs/data-and-ports.md has every TRESTLE_ variable that the product reads, and no other', () => {
  const page = readFileSync(join(root, 'docs', 'data-and-ports.md'), 'utf8');
  const written = new Set(
    [...page.matchAll(/^\| `(TRESTLE_[A-Z_]+)` \|/gm)].map((found) => String(found[1])),
  );
  const folders = ['apps', 'packages', 'drivers'].map((folder) => join(root, folder));
  const read = folders
    .flatMap(sourceFiles)
    .filter((file) => !/\.test\.tsx?$|\/testing\//.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\benv(?:ironment)?\.(TRESTLE_[A-Z_]+)/g)])
    .map((found) => String(found[1]));
  expect([...written].sort()).toEqual([...new Set(read)].sort());
});
