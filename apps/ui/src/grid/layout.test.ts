import { rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import {
  autoWidth,
  lineOffsets,
  messageHeight,
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

test('pinned columns come first and are measured from their own layer', () => {
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
  const { top, at } = lineOffsets([{ at: 0 }, { at: 1, message: 'refused' }, { at: 2 }]);
  expect([top(0), top(1), top(2), top(3)]).toEqual([
    0,
    rowHeight,
    2 * rowHeight + messageHeight,
    3 * rowHeight + messageHeight,
  ]);
  expect([
    at(0),
    at(rowHeight + 1),
    at(2 * rowHeight + 5),
    at(2 * rowHeight + messageHeight),
    at(9999),
  ]).toEqual([0, 1, 1, 2, 2]);
});

test('scrolling moves only as far as needed', () => {
  expect(scrollToShow(100, 50, 110, 130)).toBe(100);
  expect(scrollToShow(100, 50, 80, 90)).toBe(80);
  expect(scrollToShow(100, 50, 140, 170)).toBe(120);
  expect(scrollToShow(0, 50, 100, 300)).toBe(100);
});
