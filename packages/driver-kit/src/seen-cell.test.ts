import { expect, test } from 'vitest';
import { briefCell, type Cell, cutCell, isAsSeen, maxCellBytes, sameCell } from './index.ts';

const long = 'x'.repeat(5_000);

test('a cell that was seen whole is compared exactly', () => {
  const cells: Cell[] = [
    null,
    '',
    '1',
    1,
    2n ** 60n,
    true,
    'a',
    new Uint8Array([1]),
    [1, [2]],
    { a: { b: 1 } },
  ];
  for (const [at, cell] of cells.entries()) {
    expect(briefCell(cell)).toBe(cell);
    expect(cells.map((other) => isAsSeen(cell, other))).toEqual(cells.map((_, other) => other === at));
  }
  expect(isAsSeen({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true);
  expect(isAsSeen(new Uint8Array([1, 2]), new Uint8Array([1, 3]))).toBe(false);
  expect(isAsSeen({ a: 1 }, { b: 1 })).toBe(false);
  expect(isAsSeen([1], { 0: 1 })).toBe(false);
  expect(sameCell([Number.NaN], [Number.NaN])).toBe(true);
  const named = (name: string) => JSON.parse(`{"${name}": 1}`) as Cell;
  expect(sameCell(named('__proto__'), named('__proto__'))).toBe(true);
  expect(sameCell(named('__proto__'), named('constructor'))).toBe(false);
});

test('a long cell is brief, and a change anywhere in it is seen', () => {
  const bytes = new Uint8Array(5_000);
  for (const [cell, other] of [
    [long, `${long.slice(1)}y`],
    [long, `${long}x`],
    [bytes, bytes.with(4_999, 1)],
    [Array(5_000).fill(0.5), [...Array(4_999).fill(0.5), 0.25]],
    [
      { a: long, b: 1 },
      { a: long, b: 2 },
    ],
  ] as [Cell, Cell][]) {
    const seen = briefCell(cell);
    expect(typeof seen).toBe('string');
    expect(String(seen).length).toBeLessThan(1_200);
    expect([isAsSeen(cell, seen), isAsSeen(other, seen), isAsSeen(cell, briefCell(other))]).toEqual([
      true,
      false,
      false,
    ]);
  }
  expect(isAsSeen({ b: 1, a: long }, briefCell({ a: long, b: 1 }))).toBe(true);
});

test('a cell that a page cut is compared whole, and not by its beginning', () => {
  const large = 'x'.repeat(maxCellBytes + 1);
  const other = `${large.slice(1)}y`;
  for (const seen of [cutCell(large), briefCell(cutCell(large)), briefCell(large)]) {
    expect(isAsSeen(large, seen)).toBe(true);
    // A driver may cut the value before it compares.
    expect(isAsSeen(cutCell(large), seen)).toBe(true);
    expect(isAsSeen(other, seen)).toBe(false);
    expect(isAsSeen(cutCell(other), seen)).toBe(false);
  }
  const bytes = new Uint8Array(maxCellBytes + 1);
  expect(isAsSeen(bytes, briefCell(cutCell(bytes)))).toBe(true);
  expect(isAsSeen(bytes.with(7, 7), cutCell(bytes))).toBe(false);
});

test('a text that looks like a note of another value is no match', () => {
  const note = String(briefCell(long)).slice(-60);
  for (const cell of ['', 'x', note, `x${note}`, null, 7] as Cell[]) {
    expect(isAsSeen(cell, briefCell(long))).toBe(false);
  }
  expect(isAsSeen(`x${note}`, `x${note}`)).toBe(true);
});
