import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { findCircles } from './import-circles.ts';
import { sourceFiles } from './import-table.ts';

const root = join(import.meta.dirname, '..', '..');
const folders = ['packages', 'apps', 'drivers', 'scripts', 'registry', 'samples', 'bench', 'tests'];

test('no files import each other in a circle, not even for types', () => {
  const files = folders.flatMap((folder) => sourceFiles(join(root, folder)));
  const circles = findCircles(new Map(files.map((file) => [file, readFileSync(file, 'utf8')])));
  expect(circles.map((circle) => circle.map((file) => relative(root, file)))).toEqual([]);
});

test('a circle of type imports and of lazy imports is found', () => {
  const sources = new Map([
    ['/a/one.ts', "import type { Two } from './two.ts';"],
    ['/a/two.ts', "const three = import('../b/three.ts');"],
    ['/b/three.ts', "export { One } from '../a/one.ts';"],
    ['/b/four.ts', "import { One } from '../a/one.ts';"],
  ]);
  expect(findCircles(sources)).toEqual([['/a/one.ts', '/a/two.ts', '/b/three.ts']]);
});
