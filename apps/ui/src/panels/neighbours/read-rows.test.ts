import { rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { nearestRows, takeBatch, VectorPack } from './read-rows.ts';
import { newScan } from './scan.ts';
import { withoutWords } from './without-words.ts';

const rows = rowSetFromCells(
  [
    { name: 'id', type: 'text', nativeType: 'TEXT' },
    { name: 'sound', type: 'vector', nativeType: 'BLOB' },
  ],
  [
    ['none', null],
    ['first', [1, 0, 0]],
    ['short', [1, 0]],
    ['third', [0, 1, 0]],
  ],
);
const columns = { key: ['id'], title: undefined, vector: 'sound' };

test('an exact comparison leaves out rows without a vector, or with a vector of another length than the first vector', () => {
  const scan = newScan();
  takeBatch(scan, rows, columns, new VectorPack());
  expect(scan.compared).toEqual(['first', 'third']);
  expect(scan.without.map(({ id }) => id)).toEqual(['none', 'short']);
  expect(withoutWords(scan.without.length, scan.dimensions)).toBe(
    '2 rows do not have a vector of 3 dimensions. Trestle does not compare them.',
  );
});

test('a comparison by the database includes rows with vectors of any length', () => {
  const scan = newScan();
  takeBatch(scan, rows, columns);
  expect(scan.compared).toEqual(['first', 'short', 'third']);
  expect(withoutWords(scan.without.length, scan.dimensions)).toBe(
    '1 row does not have this vector. A search by this vector does not find it.',
  );
});

test('only the database can compare multi-vectors', () => {
  const multi = rowSetFromCells(
    [
      { name: 'id', type: 'text', nativeType: 'TEXT' },
      { name: 'sound', type: 'vector', nativeType: 'vector' },
    ],
    [
      [
        'many',
        [
          [1, 0],
          [0, 1],
        ],
      ],
    ],
  );
  const [exact, byIndex] = [newScan(), newScan()];
  takeBatch(exact, multi, columns, new VectorPack());
  takeBatch(byIndex, multi, columns);
  expect([exact.compared, byIndex.compared]).toEqual([[], ['many']]);
});

test('a long title is cut, and a row without a title is named by its key', () => {
  const named = rowSetFromCells(
    [
      { name: 'id', type: 'text', nativeType: 'TEXT' },
      { name: 'content', type: 'text', nativeType: 'TEXT' },
    ],
    [
      ['long', 'x'.repeat(1_000_000)],
      ['none', null],
      ['empty', ''],
    ],
  );
  const titles = nearestRows(named, { key: ['id'], title: 'content' }).map(({ title }) => title);
  expect(titles).toEqual([`${'x'.repeat(300)}…`, 'none', 'empty']);
});
