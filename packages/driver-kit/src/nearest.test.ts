import { expect, test } from 'vitest';
import { type Distance, exactBlock, prepared } from './nearest.ts';

test.each([
  ['cosine', cosine],
  ['euclidean', euclidean],
] as [Distance, typeof cosine][])(
  'exact neighbours are those of a plain sort by %s distance',
  (by, between) => {
    const [rows, dimensions, kept] = [50, 7, 10];
    const vectors = Float32Array.from({ length: rows * dimensions }, (_, at) => Math.sin(at * 12.9898) * 3);
    // Row 9 is a copy of row 3, and row 20 is a zero vector.
    vectors.copyWithin(9 * dimensions, 3 * dimensions, 4 * dimensions);
    vectors.fill(0, 20 * dimensions, 21 * dimensions);
    const vector = (row: number) => vectors.subarray(row * dimensions, (row + 1) * dimensions);
    const expected = Array.from({ length: rows }, (_, row) =>
      Array.from({ length: rows }, (_, other) => ({ other, distance: between(vector(row), vector(other)) }))
        .filter(({ other }) => other !== row)
        .sort((a, b) => a.distance - b.distance)
        .slice(0, kept)
        .map(({ distance }) => distance),
    );
    const compared = prepared(vectors, dimensions, by);
    const found = [0, 32].flatMap((from) => {
      const { rows: count, distances } = exactBlock(compared, dimensions, {
        from,
        rows: 32,
        kept,
        distance: by,
      });
      return Array.from({ length: count }, (_, row) => [...distances.slice(row * kept, (row + 1) * kept)]);
    });
    expect(found).toHaveLength(rows);
    for (const [row, distances] of found.entries()) {
      for (const [at, distance] of distances.entries()) expect(distance).toBeCloseTo(expected[row]![at]!, 5);
    }
    const three = exactBlock(compared, dimensions, { from: 3, rows: 1, kept, distance: by });
    expect(three.places[0]).toBe(9);
  },
);

test('with fewer other rows than neighbours to keep, the remaining entries are -1', () => {
  const all = { from: 0, rows: 32, kept: 3, distance: 'cosine' } as const;
  const { places } = exactBlock(Float32Array.from([1, 0, 0, 1]), 2, all);
  expect([...places]).toEqual([1, -1, -1, 0, -1, -1]);
});

test('a vector with NaN is no row’s neighbour, and the other rows keep their neighbours', () => {
  const all = { from: 0, rows: 32, kept: 1, distance: 'euclidean' } as const;
  const { places } = exactBlock(Float32Array.from([0, 1, Number.NaN, 5]), 1, all);
  expect([...places]).toEqual([1, 0, -1, 1]);
});

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (one: Float32Array, two: Float32Array) =>
    one.reduce((sum, value, at) => sum + value * two[at]!, 0);
  const both = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
  return both === 0 ? 1 : 1 - dot(a, b) / both;
}

function euclidean(a: Float32Array, b: Float32Array): number {
  return Math.hypot(...a.map((value, at) => value - b[at]!));
}
