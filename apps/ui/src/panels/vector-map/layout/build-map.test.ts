import { expect, test } from 'vitest';
import { type Frame, MapBuilder } from './build-map.ts';
import { clusteredVectors } from './clustered-vectors.ts';

function mapOf(vectors: Float32Array, dimensions: number): Frame[] {
  const builder = new MapBuilder(dimensions);
  const frames: Frame[] = [];
  const first = builder.add(vectors);
  if (first) frames.push(first);
  builder.finish((frame) => frames.push(frame));
  return frames;
}

/** The share of a row's 15 true neighbours that are among its 15 nearest on the map, averaged over some rows. */
function preservation(vectors: Float32Array, dimensions: number, positions: Float32Array): number {
  const rows = positions.length / 2;
  const k = 15;
  const nearest = (distance: (other: number) => number, row: number) =>
    Array.from({ length: rows }, (_, other) => other)
      .filter((other) => other !== row)
      .map((other) => [distance(other), other] as const)
      .sort((a, b) => a[0] - b[0])
      .slice(0, k)
      .map(([, other]) => other);
  let kept = 0;
  const tried = 60;
  for (let count = 0; count < tried; count++) {
    const row = Math.floor((count * rows) / tried);
    const cosine = (other: number) => {
      let dot = 0;
      let length = 0;
      for (let column = 0; column < dimensions; column++) {
        const value = vectors[other * dimensions + column]!;
        dot += vectors[row * dimensions + column]! * value;
        length += value * value;
      }
      return -dot / Math.sqrt(length);
    };
    const flat = (other: number) =>
      (positions[row * 2]! - positions[other * 2]!) ** 2 +
      (positions[row * 2 + 1]! - positions[other * 2 + 1]!) ** 2;
    const truth = new Set(nearest(cosine, row));
    kept += nearest(flat, row).filter((other) => truth.has(other)).length;
  }
  return kept / (tried * k);
}

test('rows that are near each other are near on the map', () => {
  const vectors = clusteredVectors(3000, 384);
  const frames = mapOf(vectors, 384);
  expect(frames.map(({ stage }) => stage).slice(0, 2)).toEqual(['first', 'refining']);
  const last = frames.at(-1)!;
  expect(last.stage).toBe('done');
  expect(last.positions.every(Number.isFinite)).toBe(true);
  expect(preservation(vectors, 384, last.positions)).toBeGreaterThan(0.2);
});

test('a rough picture comes after 200 rows, and a second one after 2,000', () => {
  const vectors = clusteredVectors(2400, 16);
  const builder = new MapBuilder(16);
  const points: number[] = [];
  for (let row = 0; row < 2400; row += 200) {
    const frame = builder.add(vectors.subarray(row * 16, (row + 200) * 16));
    if (frame) points.push(frame.positions.length / 2);
  }
  expect(points).toEqual([200, 2000]);
});

test('the same rows give the same map', () => {
  const vectors = clusteredVectors(300, 32);
  expect(mapOf(vectors, 32).at(-1)!.positions).toEqual(mapOf(vectors, 32).at(-1)!.positions);
});

test.each([
  ['no row', new Float32Array(0), 0],
  ['one row', new Float32Array([1, 2, 3]), 1],
  ['two rows', new Float32Array([1, 2, 3, 3, 2, 1]), 2],
  ['three rows', new Float32Array([1, 2, 3, 3, 2, 1, 0, 1, 0]), 3],
  ['zero vectors', new Float32Array(30), 10],
  ['the same row a hundred times', Float32Array.from({ length: 300 }, (_, index) => index % 3), 100],
])('%s: every point has a place', (_, vectors, rows) => {
  const { positions } = mapOf(vectors, 3).at(-1)!;
  expect(positions).toHaveLength(rows * 2);
  expect(positions.every(Number.isFinite)).toBe(true);
});

test('vectors of one dimension are laid out too', () => {
  const { positions } = mapOf(
    Float32Array.from({ length: 50 }, (_, index) => index),
    1,
  ).at(-1)!;
  expect(positions.every(Number.isFinite)).toBe(true);
});
