import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './import-table.ts';

const root = join(import.meta.dirname, '..', '..');
const folders = [
  'packages',
  'apps',
  'drivers',
  'scripts',
  'registry',
  'samples',
  'templates',
  'bench',
  'tests',
];
/** A comment that starts with a clause in place of a noun has to be read twice. */
const riddle = /^\s*(?:\/\*\*|\/\/|\*) (?:Who(?:ever|se)|Of who|What (?!happened|to do|an? |the |it |is ))/;

/** The last table of docs/vocabulary.md: a pattern, and the word that won. */
function lostWords(): { pattern: RegExp; winner: string }[] {
  const page = readFileSync(join(root, 'docs', 'vocabulary.md'), 'utf8');
  const table = page.split('## Words that lost')[1] ?? '';
  return Array.from(table.matchAll(/^\| `(.+)` \| (.+) \|$/gm), ([, pattern, winner]) => ({
    pattern: new RegExp(pattern!, 'i'),
    winner: winner!,
  }));
}

/** Every line of our code, including test names and messages. */
function lines(): { place: string; line: string }[] {
  return folders
    .flatMap((folder) => sourceFiles(join(root, folder)))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .map((line, index) => ({ place: `${relative(root, file)}:${index + 1}`, line })),
    );
}

test('code uses no word that lost', () => {
  const lost = lostWords();
  expect(lost.length).toBeGreaterThan(5);
  const found = lines().flatMap(({ place, line }) =>
    lost.filter(({ pattern }) => pattern.test(line)).map(({ winner }) => `${place}: say "${winner}"`),
  );
  expect(found).toEqual([]);
});

test('no comment begins with certain clauses in place of a noun, such as "Whose …"', () => {
  const found = lines().filter(({ line }) => riddle.test(line));
  expect(found.map(({ place }) => place)).toEqual([]);
});
