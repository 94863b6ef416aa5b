import { rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import {
  autoWidth,
  fitWidth,
  lineOffsets,
  messageHeight,
  narrowed,
  placeColumns,
  rowHeight,
  scrollToShow,
  unpinned,
} from './layout.ts';

const fonts = { ui: () => 7, mono: () => 8 };
const rows = rowSetFromCells(
  [
    { name: 'id', type: 'int', nativeType: 'INTEGER' },
    { name: 'name', type: 'text', nativeType: 'TEXT' },
  ],
  [[1, 'x'.repeat(500)]],
);

test('pinned columns come first, and each `left` counts from the start of the pinned or the scrolling layer', () => {
  const { columns, pinnedWidth, centreWidth } = placeColumns(
    [
      { name: 'late', type: 'vector' },
      { name: 'id', type: 'int', pinned: true, width: 70 },
      { name: 'secret', type: 'text', hidden: true },
      { name: 'name', type: 'text' },
    ],
    rows,
    () => 100,
  );
  expect(columns.map(({ name, left, source, index }) => [name, left, source, index])).toEqual([
    ['id', 0, 0, 0],
    ['late', 0, -1, 1],
    ['name', 100, 1, 2],
  ]);
  expect([pinnedWidth, centreWidth]).toEqual([70, 200]);
});

test('pinned columns shrink if together they are wider than the limit', () => {
  const placed = placeColumns(
    [
      { name: 'a', type: 'uuid', pinned: true, width: 200 },
      { name: 'b', type: 'int', pinned: true, width: 100 },
      { name: 'c', type: 'text' },
    ],
    rows,
    () => 100,
  );
  expect(narrowed(placed, 300)).toBe(placed);
  const { columns, pinnedWidth, centreWidth } = narrowed(placed, 150);
  expect(columns.map(({ left, width }) => [left, width])).toEqual([
    [0, 100],
    [100, 50],
    [0, 100],
  ]);
  expect([pinnedWidth, centreWidth]).toEqual([150, 100]);
});

test('a fitted width shows a long value that an automatic width does not measure', () => {
  const long = rowSetFromCells(
    [{ name: 'name', type: 'text', nativeType: 'TEXT' }],
    [...Array.from({ length: 80 }, () => ['x']), ['x'.repeat(100)]],
  );
  expect(autoWidth({ name: 'name', type: 'text' }, long, fonts)).toBeLessThan(100);
  expect(fitWidth({ name: 'name', type: 'text' }, long, fonts)).toBe(720);
});

test('a column of type `any` is numeric if its first values, except NULL, are numbers', () => {
  const result = rowSetFromCells(
    [
      { name: 'n', type: 'any', nativeType: '' },
      { name: 't', type: 'any', nativeType: '' },
    ],
    [
      [null, 1],
      [5, 'x'],
    ],
  );
  const { columns } = placeColumns(
    [
      { name: 'n', type: 'any' },
      { name: 't', type: 'any' },
    ],
    result,
    () => 100,
  );
  expect(columns.map(({ numeric }) => numeric)).toEqual([true, false]);
});

test('unpinned columns keep their order and scroll with the others', () => {
  const placed = placeColumns(
    [
      { name: 'name', type: 'text' },
      { name: 'id', type: 'int', pinned: true, width: 70 },
    ],
    rows,
    () => 100,
  );
  const { columns, pinnedWidth, centreWidth } = unpinned(placed);
  expect(columns.map(({ name, left, pinned }) => [name, left, pinned])).toEqual([
    ['id', 0, false],
    ['name', 70, false],
  ]);
  expect([pinnedWidth, centreWidth]).toEqual([0, 170]);
});

test('an automatic width follows the content within limits', () => {
  expect(autoWidth({ name: 'name', type: 'text' }, rows, fonts)).toBe(320);
  expect(autoWidth({ name: 'id', type: 'int' }, rows, fonts)).toBeLessThan(80);
});

test('lines with a message push the later ones down', () => {
  const { top } = lineOffsets([{ at: 0 }, { at: 1, message: 'refused' }, { at: 2 }]);
  expect([top(0), top(1), top(2), top(3)]).toEqual([
    0,
    rowHeight,
    2 * rowHeight + messageHeight,
    3 * rowHeight + messageHeight,
  ]);
});

test('scrolling moves only as far as needed', () => {
  expect(scrollToShow(100, 50, 110, 130)).toBe(100);
  expect(scrollToShow(100, 50, 80, 90)).toBe(80);
  expect(scrollToShow(100, 50, 140, 170)).toBe(120);
  expect(scrollToShow(0, 50, 100, 300)).toBe(100);
});
