import { expect, test } from 'vitest';
import { fitted, onScreen, pointAt, pointsInside, zoomed } from './viewport.ts';

const square = new Float32Array([0, 0, 10, 0, 10, 10, 0, 10]);
const size = { width: 500, height: 300 };
const all = () => true;

test('all points fit, with room around them', () => {
  const viewport = fitted(square, size);
  for (let point = 0; point < 4; point++) {
    const { x, y } = onScreen(viewport, square, point);
    expect(x).toBeGreaterThanOrEqual(40);
    expect(x).toBeLessThanOrEqual(460);
    expect(y).toBeGreaterThanOrEqual(40);
    expect(y).toBeLessThanOrEqual(260);
  }
  expect(fitted(new Float32Array(0), size)).toEqual({ scale: 1, x: 250, y: 150 });
  expect(onScreen(fitted(new Float32Array([3, 3]), size), new Float32Array([3, 3]), 0)).toEqual({
    x: 250,
    y: 150,
  });
});

test('zooming does not move the position under the pointer', () => {
  const viewport = fitted(square, size);
  const before = onScreen(viewport, square, 2);
  expect(onScreen(zoomed(viewport, 2, before), square, 2)).toEqual(before);
});

test('the nearest point is found if it is close enough and not hidden', () => {
  const viewport = fitted(square, size);
  const corner = onScreen(viewport, square, 1);
  expect(pointAt(viewport, square, { x: corner.x + 4, y: corner.y }, all)).toBe(1);
  expect(pointAt(viewport, square, { x: corner.x + 4, y: corner.y }, (point) => point !== 1)).toBe(-1);
  expect(pointAt(viewport, square, { x: corner.x + 40, y: corner.y + 40 }, all)).toBe(-1);
});

test('a shape selects the points inside it', () => {
  const viewport = { scale: 1, x: 0, y: 0 };
  const left = [
    { x: -1, y: -1 },
    { x: 5, y: -1 },
    { x: 5, y: 11 },
    { x: -1, y: 11 },
  ];
  expect(pointsInside(viewport, square, left, all)).toEqual([0, 3]);
});
