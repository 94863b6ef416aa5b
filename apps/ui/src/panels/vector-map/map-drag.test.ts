import { expect, test } from 'vitest';
import { draggedTo, pressed } from './map-drag.ts';

const places = [
  { x: 12, y: 11 },
  { x: 30, y: 10 },
  { x: 40, y: 50 },
];
const after = (tool: 'move' | 'rectangle' | 'lasso', count: number) =>
  places.slice(0, count).reduce((drag, at) => draggedTo(drag, at, tool), pressed({ x: 10, y: 10 }));

test('a shape includes the last move', () => {
  expect(after('rectangle', 3).shape).toEqual([
    { x: 10, y: 10 },
    { x: 40, y: 10 },
    { x: 40, y: 50 },
    { x: 10, y: 50 },
  ]);
  expect(after('lasso', 3).shape).toEqual([{ x: 10, y: 10 }, ...places.slice(1)]);
});

test('a press does not count as moved if the pointer hardly moves', () => {
  for (const tool of ['move', 'rectangle', 'lasso'] as const)
    expect(after(tool, 1)).toEqual({ from: { x: 10, y: 10 }, moved: false, shape: [] });
});

test('after a move with the tool “move”, the drag continues from the new position', () => {
  expect(after('move', 2)).toEqual({ from: { x: 30, y: 10 }, moved: true, shape: [] });
});
