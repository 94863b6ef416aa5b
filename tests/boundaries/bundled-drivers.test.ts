import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const read = (...patterns: string[]) =>
  patterns.flatMap((pattern) => globSync(join(root, pattern))).map((file) => readFileSync(file, 'utf8'));

test('the built app contains no sentence that only the Weaviate driver has, because the driver is not bundled', () => {
  const app = read('dist/*.js', 'dist/*.cjs', 'dist/{drivers,driver-template,ui}/**/*.js').join('\n');
  expect(app.length).toBeGreaterThan(100_000);
  // A bundle that contains the Weaviate driver contains the sentences that only this driver has.
  const others = read('{apps,packages}/**/src/**/*.ts', 'drivers/sqlite/src/*.ts').join('\n');
  const sentences = read('drivers/weaviate/src/*.ts')
    .flatMap((source) => source.match(/'[A-Z][a-z]+ [^'\n]{25,}'/g) ?? [])
    .map((quoted) => quoted.slice(1, -1))
    .filter((sentence) => !others.includes(sentence));
  expect(sentences.length).toBeGreaterThan(10);
  expect(sentences.filter((sentence) => app.includes(sentence))).toEqual([]);
  expect(globSync(join(root, 'dist', 'drivers', 'weaviate'))).toEqual([]);
});
