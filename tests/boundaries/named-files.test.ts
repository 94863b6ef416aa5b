import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './import-table.ts';

const root = join(import.meta.dirname, '..', '..');
const comment = /\/\*[\s\S]*?\*\/|(?<=^|[\s;,{}()])\/\/.*$/gm;
/**
 * The name of one of our files, alone or with folders before it. An address, or a path that starts with a
 * dot, does not count.
 */
const fileName = /(?<![\w./<-])(?:[\w@-]+\/)*[\w.-]+\.(?:tsx?|mts|mjs|cjs|js)\b(?!\w)/g;
/** Files that the build makes. */
const built = new Set(['driver-check.js', 'driver-host.js', 'driver-kit.js']);

test('comments and documents name only files that exist', () => {
  const files = [...sourceFiles(root), ...documents()].map((file) => relative(root, file));
  const known = new Set(files.flatMap((file) => endingsOf(file)));
  const unknown = files.flatMap((file) =>
    textsOf(file).flatMap((text) =>
      Array.from(text.matchAll(fileName), ([name]) => name)
        .filter((name) => !known.has(name) && !built.has(name))
        .map((name) => `${file} names ${name}`),
    ),
  );
  expect(unknown).toEqual([]);
});

/** The path and each of its endings: a comment may leave out the first folders, and `src`. */
function endingsOf(file: string): string[] {
  return [file, file.replace('/src/', '/')].flatMap((path) => {
    const parts = path.split('/');
    return parts.map((_, index) => parts.slice(index).join('/'));
  });
}

function textsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return file.endsWith('.md') ? [text] : Array.from(text.matchAll(comment), ([one]) => one);
}

/** Three documents at the root, and the README of each package. */
function documents(): string[] {
  const groups = ['apps', 'drivers', 'packages', 'samples'].map((group) => join(root, group));
  const folders = [
    join(root, 'registry'),
    ...groups.flatMap((group) => readdirSync(group).map((name) => join(group, name))),
  ];
  const readmes = folders.map((folder) => join(folder, 'README.md')).filter((file) => existsSync(file));
  return [...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'].map((name) => join(root, name)), ...readmes];
}
