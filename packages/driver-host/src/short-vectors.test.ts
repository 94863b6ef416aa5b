import type { ColumnValues, RowSet, ShortVectors } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { shorten } from './short-vectors.ts';

const dimensions = 1536;

function batchOf(vectors: (number[] | null)[], length = dimensions): RowSet {
  const floats = new Float32Array(vectors.length * length);
  vectors.forEach((vector, row) => {
    if (vector) floats.set(vector, row * length);
  });
  const present = Uint8Array.from(vectors, (vector) => (vector ? 1 : 0));
  return {
    rowCount: vectors.length,
    columns: [
      { name: 'title', type: 'text', nativeType: 'text' },
      { name: 'vector', type: 'vector', nativeType: 'vector' },
    ],
    values: [
      { kind: 'cells', cells: vectors.map((_, row) => `row ${row}`) },
      { kind: 'vectors', dimensions: length, floats, present },
    ],
  };
}

async function* stream(...batches: RowSet[]) {
  yield* batches;
}

const whole = { dimensions: 256, unit: false };

async function shortened(wanted: ShortVectors, ...batches: RowSet[]) {
  const short = await Array.fromAsync(shorten(stream(...batches), wanted));
  return short.map(({ values }) => values[1] as Extract<ColumnValues, { kind: 'vectors' }>);
}

/** Like embeddings: each number is small, and the sign is random. */
function randomVectors(count: number): number[][] {
  let state = 1;
  const next = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => Array.from({ length: dimensions }, next));
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return Math.hypot(...Array.from(a, (value, index) => value - b[index]!));
}

test('distances between rows stay nearly the same, also between batches', async () => {
  const vectors = randomVectors(20);
  const [first, second] = await shortened(whole, batchOf(vectors.slice(0, 10)), batchOf(vectors.slice(10)));
  const short = vectors.map((_, row) => {
    const { floats } = row < 10 ? first! : second!;
    return floats.subarray((row % 10) * 256, ((row % 10) + 1) * 256);
  });
  for (let a = 0; a < vectors.length; a++) {
    for (let b = 0; b < a; b++) {
      const ratio = distance(short[a]!, short[b]!) / distance(vectors[a]!, vectors[b]!);
      expect(Math.abs(ratio - 1)).toBeLessThan(0.25);
    }
  }
});

test('a row without a vector stays without one, and other columns stay as they are', async () => {
  const batch = batchOf([randomVectors(1)[0]!, null]);
  const [rows] = await Array.fromAsync(shorten(stream(batch), whole));
  expect(rows!.values[0]).toEqual(batch.values[0]);
  const [vectors] = await shortened(whole, batch);
  expect(vectors).toMatchObject({ dimensions: 256, present: new Uint8Array([1, 0]) });
  expect(vectors!.floats.subarray(256).every((value) => value === 0)).toBe(true);
});

test('without `unit`, vectors that are short enough are not touched', async () => {
  const batch = batchOf([[1, 2], null], 2);
  expect(await shortened(whole, batch)).toEqual([batch.values[1]]);
  expect(await shortened({ dimensions: 2, unit: false }, batch)).toEqual([batch.values[1]]);
});

test('with `unit`, each vector is scaled to length 1 before it is shortened, and a zero vector stays zero', async () => {
  const unit = { dimensions: 256, unit: true };
  const [short] = await shortened(unit, batchOf([[3, 4], [0, 0], null], 2));
  expect(short!.floats).toEqual(new Float32Array([0.6, 0.8, 0, 0, 0, 0]));
  const [vector] = randomVectors(1);
  const [first, longer] = await shortened(
    unit,
    batchOf([vector!]),
    batchOf([vector!.map((value) => value * 50)]),
  );
  expect(distance(first!.floats, longer!.floats)).toBeLessThan(1e-6);
});
