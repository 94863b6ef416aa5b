import { expect, test } from 'vitest';
import { readGenerated } from './generated-columns.ts';

function sources(definition: string, stored: string[], generated: string[]) {
  const columns = [
    ...stored.map((name) => ({ name, generated: false })),
    ...generated.map((name) => ({ name, generated: true })),
  ];
  const found = readGenerated(definition, columns);
  return Object.fromEntries([...found].map(([name, from]) => [name, [...from].sort()]));
}

test('a generated column counts as computed from every column that its definition names', () => {
  const definition = `CREATE TABLE "odd (t, x" ( -- a, (comment
    id INTEGER PRIMARY KEY, Name TEXT DEFAULT (upper('a, b')), price DECIMAL(10, 2), "e,(mail" TEXT,
    slug TEXT GENERATED ALWAYS AS (replace(lower(NAME), ',', '(')) STORED UNIQUE,
    [Low] AS (substr("E,(MAIL", 1, 3)) CHECK (id > 0), 'quoted' AS (t.[price] + \`id\`), fixed AS (1),
    CHECK (name <> slug))`;
  const stored = ['id', 'Name', 'price', 'e,(mail'];
  expect(sources(definition, stored, ['slug', 'Low', 'quoted', 'fixed'])).toEqual({
    slug: ['name'],
    low: ['e,(mail', 'id'],
    quoted: ['id', 'price'],
    fixed: [],
  });
});

test('the sources of a generated column include the sources of the generated columns that it uses', () => {
  const definition = 'CREATE TABLE t (a, b, c AS (d || 1), d AS (e), e AS (a), f AS (b), g AS (h), h AS (g))';
  expect(sources(definition, ['a', 'b'], ['c', 'd', 'e', 'f', 'g', 'h'])).toEqual({
    c: ['a', 'd', 'e'],
    d: ['a', 'e'],
    e: ['a'],
    f: ['b'],
    g: ['g', 'h'],
    h: ['g', 'h'],
  });
});

test.each(['', 'CREATE TABLE t', 'CREATE TABLE t (a, b'])(
  'a generated column counts as computed from all columns if this text has no definition of it: "%s"',
  (definition) => {
    expect(sources(definition, ['a', 'b'], ['c'])).toEqual({ c: ['a', 'b', 'c'] });
  },
);
