import { expect, test } from 'vitest';
import {
  copiesIn,
  crowdedRows,
  farRows,
  firstThreshold,
  groupsOf,
  nearestDistances,
  pairsWithin,
} from './findings.ts';
import { newScan, type Scan } from './scan.ts';

/** Rows on a line: a at 0, b at 1, c at 2, d at 10, each with its distances to the two nearest rows. */
function line(): Scan {
  const scan = newScan();
  for (const id of ['a', 'b', 'c', 'd']) {
    scan.rows.set(id, { id, key: { id }, title: id.toUpperCase() });
    scan.compared.push(id);
  }
  scan.near.set('a', [near('b', 1), near('c', 2)]);
  scan.near.set('b', [near('a', 1), near('c', 1)]);
  scan.near.set('c', [near('b', 1), near('a', 2)]);
  scan.near.set('d', [near('c', 8), near('b', 9)]);
  return scan;
}

const near = (id: string, distance: number) => ({ id, distance });
const names = (pairs: ReturnType<typeof pairsWithin>) => pairs.map(({ a, b }) => a.id + b.id);

test('a pair is listed once, the nearest first, with the row that was read first on the left', () => {
  expect(names(pairsWithin(line(), 1))).toEqual(['ab', 'bc']);
  expect(names(pairsWithin(line(), 2))).toEqual(['ab', 'bc', 'ac']);
  expect(names(pairsWithin(line(), 0.5))).toEqual([]);
});

test('a pair counts even if only one of the two rows was compared', () => {
  const scan = line();
  scan.near.delete('c');
  scan.compared = ['a', 'b', 'd'];
  expect(names(pairsWithin(scan, 1))).toEqual(['ab', 'bc']);
});

test('rows that are near each other through other rows are one group', () => {
  const groups = groupsOf(line(), pairsWithin(line(), 1));
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([['a', 'b', 'c']]);
  expect(groupsOf(newScan(), [])).toEqual([]);
});

test('the first row of a group is the one that was read first, whichever pairs are nearest', () => {
  const scan = line();
  scan.near = new Map([
    ['b', [near('c', 0.1), near('d', 0.3)]],
    ['a', [near('d', 0.2)]],
  ]);
  const groups = groupsOf(scan, pairsWithin(scan, 1));
  expect(groups.map((group) => group.map(({ id }) => id))).toEqual([['a', 'b', 'c', 'd']]);
});

test('of each group, the first row that is not marked for deletion stays', () => {
  const groups = groupsOf(line(), pairsWithin(line(), 1));
  const copies = (...marked: string[]) =>
    copiesIn(groups, ({ id }) => marked.includes(id)).map(({ id }) => id);
  expect(copies()).toEqual(['b', 'c']);
  expect(copies('a')).toEqual(['a', 'c']);
  expect(copies('a', 'b', 'c')).toEqual(['a', 'b', 'c']);
});

test('a long chain of pairs is one group', () => {
  const scan = newScan();
  const ids = Array.from({ length: 50_000 }, (_, at) => String(at));
  for (const id of ids) {
    scan.rows.set(id, { id, key: { id }, title: id });
    scan.compared.push(id);
    scan.near.set(id, [near(String(Number(id) + 1), 1)]);
  }
  expect(groupsOf(scan, pairsWithin(scan, 1)).map(({ length }) => length)).toEqual([50_000]);
});

test('two rows at an unknown distance are no pair', () => {
  const scan = line();
  scan.near.set('a', [near('b', Number.NaN)]);
  scan.near.delete('b');
  expect(names(pairsWithin(scan, 1))).toEqual(['bc']);
  scan.near.set('b', [near('a', Number.NaN), near('c', 1)]);
  scan.near.delete('c');
  expect(names(pairsWithin(scan, 1))).toEqual(['bc']);
});

test('the farthest row comes first, by the mean distance to its nearest rows', () => {
  expect(farRows(line(), 2).map(({ row, distance }) => [row.id, distance])).toEqual([
    ['d', 8.5],
    ['a', 1.5],
  ]);
  expect(farRows(line(), 1)[0]?.nearest.map(({ row }) => row.id)).toEqual(['c', 'b']);
});

test('a row is crowded if its list of neighbours is full and all of them are near', () => {
  expect(crowdedRows(line(), 2, 2)).toBe(3);
  expect(crowdedRows(line(), 2, 3)).toBe(0);
});

test('rows are counted by the distance to their nearest row, in equal steps', () => {
  expect(nearestDistances(line(), 4)).toEqual({ least: 0, most: 8, counts: [3, 0, 0, 1] });
  expect(nearestDistances(newScan(), 3)).toEqual({ least: 0, most: 0, counts: [0, 0, 0] });
});

test('the steps begin at the smallest distance if it is negative, but a rounding error below 0 counts as 0', () => {
  const scan = newScan();
  scan.near.set('a', [near('b', -0.98)]).set('b', [near('a', -0.98)]);
  scan.near.set('c', [near('b', -0.58)]);
  expect(nearestDistances(scan, 4)).toEqual({ least: -0.98, most: -0.58, counts: [2, 0, 0, 1] });
  scan.near = new Map([['a', [near('b', -0.0001)]]]);
  expect(nearestDistances(scan, 2)).toEqual({ least: 0, most: 0, counts: [1, 0] });
});

test('the first threshold is 0.05 for distances from 0 to 2; otherwise it comes from the smallest distances', () => {
  expect(firstThreshold(line())).toBe(1);
  const cosine = line();
  cosine.near = new Map([['a', [near('b', 0.3)]]]);
  expect(firstThreshold(cosine)).toBe(0.05);
});

test.each([
  [12.4, 13],
  [12.6, 13],
  [3.1, 3.1],
  [-124, -120],
  [-126, -120],
  [996, 1000],
  [1004, 1100],
])('the first threshold for the distance %d is %d, never below the distance', (distance, threshold) => {
  const scan = line();
  scan.near = new Map([['a', [near('b', distance)]]]);
  expect(firstThreshold(scan)).toBe(threshold);
});

test('the far rows, the counts by distance and the first threshold ignore an unknown distance', () => {
  const scan = line();
  scan.near.set('a', [near('b', 1), near('c', Number.NaN)]);
  scan.near.set('b', [near('a', Number.NaN)]);
  expect(farRows(scan, 9).map(({ row, distance }) => [row.id, distance])).toEqual([
    ['d', 8.5],
    ['c', 1.5],
    ['a', 1],
  ]);
  expect(nearestDistances(scan, 4)).toEqual({ least: 0, most: 8, counts: [2, 0, 0, 1] });
  expect(firstThreshold(scan)).toBe(1);
});
