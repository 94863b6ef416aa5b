import { expect, test } from 'vitest';
import { columnLayout } from './column-layout.ts';

const rows = (count: number) => Array.from({ length: count }, () => ({}) as never);

test('rows are below each other, and the line at the cut pushes the rows after the cut down', () => {
  expect(columnLayout(undefined)).toEqual({ middles: [], height: 0 });
  expect(columnLayout({ rows: rows(2), groups: new Map(), kept: 2 })).toEqual({
    middles: [25, 75],
    height: 100,
  });
  expect(columnLayout({ rows: rows(3), groups: new Map(), kept: 1 }).middles).toEqual([25, 101, 151]);
});

test('a group has a heading above its first row', () => {
  const groups = new Map([
    [0, 'space'],
    [1, 'music'],
  ]);
  expect(columnLayout({ rows: rows(2), groups, kept: 2 }).middles).toEqual([51, 127]);
});
