import { type ColumnDescription, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { factsRequest, rangesOf, readFacts, valueBars } from './column-bars.ts';

const runs = (...operators: ColumnDescription['operators'][number]['operator'][]) =>
  operators.map((operator) => ({ operator }));
const price: ColumnDescription = {
  name: 'price',
  type: 'number',
  nativeType: 'number',
  nullable: true,
  inKey: false,
  operators: runs('equals', 'greater_or_equal', 'less_than'),
};
const of = { table: 'things', filters: [], match: 'all' as const };

const limits = (column: ColumnDescription, min: number | bigint | string, max: number | bigint | string) =>
  rangesOf(column, { rows: 9, min, max })?.map(({ of: range }) => 'from' in range && [range.from, range.to]);

test('ranges have round limits and hold the smallest and the largest value', () => {
  expect(limits(price, 3, 119)?.at(0)).toEqual([0, 20]);
  expect(limits(price, 3, 120)?.at(-1)).toEqual([120, 140]);
  expect(limits(price, -0.3, 0.3)).toEqual([
    ...[
      [-0.3, -0.2],
      [-0.2, -0.1],
      [-0.1, 0],
      [0, 0.1],
      [0.1, 0.2],
      [0.2, 0.3],
      [0.3, 0.4],
    ],
  ]);
  expect(limits({ ...price, type: 'int' }, 0, 3)).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4],
  ]);
});

test('dates have ranges of months or of years, in UTC, and other texts have none', () => {
  const day: ColumnDescription = { ...price, type: 'date' };
  const years = limits(day, '1957-10-04T00:00:00Z', '2024-10-14T00:00:00Z')!;
  expect(years.at(0)).toEqual(['1950-01-01T00:00:00Z', '1960-01-01T00:00:00Z']);
  expect(years.at(-1)).toEqual(['2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z']);
  const quarters = limits(day, '2023-02-04T00:00:00Z', '2024-12-31T23:59:59Z')!;
  expect(quarters.at(0)).toEqual(['2023-01-01T00:00:00Z', '2023-04-01T00:00:00Z']);
  expect(quarters.at(-1)).toEqual(['2024-10-01T00:00:00Z', '2025-01-01T00:00:00Z']);
  expect(limits(day, '2024-01-04T00:00:00Z', '2024-02-04T00:00:00Z')).toBeUndefined();
  expect(limits(day, '4 May 1999', '5 May 2020')).toBeUndefined();
});

test('at any scale, each range starts where the one before ends, and all values are inside', () => {
  for (let power = -300; power <= 300; power += 7) {
    for (const [low, high] of [
      [1, 3],
      [-2, 7.7],
      [9.99, 10],
      [-10, -0.1],
    ] as const) {
      const [min, max] = [low * 10 ** power, high * 10 ** power];
      const found = limits(price, min, max) as [number, number][];
      expect(found[0]![0]).toBeLessThanOrEqual(min);
      expect(found.at(-1)![1]).toBeGreaterThan(max);
      expect(found.length).toBeLessThan(15);
      for (let at = 1; at < found.length; at++) expect(found[at]![0]).toBe(found[at - 1]![1]);
    }
  }
});

test('there are no ranges of one value, of texts, of numbers too large, or without the operators', () => {
  expect(limits(price, 3, 3)).toBeUndefined();
  expect(limits(price, 'a', 'b')).toBeUndefined();
  expect(limits(price, 1n, 2n ** 60n)).toBeUndefined();
  expect(limits(price, 1e15, 1e15 + 1e-3)).toBeUndefined();
  expect(limits(price, -Number.MAX_VALUE, Number.MAX_VALUE)).toBeUndefined();
  expect(limits({ ...price, operators: runs('equals') }, 0, 9)).toBeUndefined();
});

test('the facts ask only for what the type has, and NULL is what is not counted', () => {
  expect(factsRequest(of, { ...price, type: 'json' }).measured).toEqual([]);
  expect(factsRequest(of, price).measured.map(({ measure }) => measure)).toEqual([
    'count',
    'min',
    'max',
    'mean',
  ]);
  const int = { type: 'int', nativeType: '' } as const;
  const heads = ['rows', 'count(price)', 'min(price)'].map((name) => ({ name, ...int }));
  expect(readFacts(rowSetFromCells(heads, [[10, 8, 2]]), 'price')).toEqual({ rows: 10, nulls: 2, min: 2 });
  expect(readFacts(rowSetFromCells(heads, [[10, 0, null]]), 'price')).toEqual({ rows: 10, nulls: 10 });
  expect(readFacts(rowSetFromCells(heads.slice(0, 1), [[10]]), 'price')).toEqual({ rows: 10 });
});

test('a value is a filter if one can find it, and says why not if none can', () => {
  const heads = [
    { name: 'price', type: 'number', nativeType: '' },
    { name: 'rows', type: 'int', nativeType: '' },
  ] as const;
  const bars = valueBars(
    rowSetFromCells(
      [...heads],
      [
        [5, 3],
        [null, 2],
        [[1], 1],
      ],
    ),
    price,
  );
  expect(bars).toMatchObject([
    { rows: 3, filters: [{ column: 'price', operator: 'equals', value: 5 }] },
    { rows: 1, filters: { refusal: expect.stringContaining('list') } },
  ]);
});
