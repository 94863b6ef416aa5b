import { expect, test } from 'vitest';
import { isMapKey, pointAfter, viewAfter, viewWith } from './map-keys.ts';

const size = { width: 200, height: 100 };
const viewport = { scale: 10, x: 100, y: 50 };
/** Five points in a cross around the middle, and one point far to the right. */
const positions = Float32Array.of(0, 0, 1, 0.2, -1, 0, 0, 2, 0, -3, 30, 0);
const at = { viewport, size, positions, isShown: () => true };

test('an arrow leads to the nearest point in its direction', () => {
  expect(pointAfter('ArrowRight', 0, at)).toBe(1);
  expect(pointAfter('ArrowRight', 1, at)).toBe(5);
  expect(pointAfter('ArrowRight', 5, at)).toBe(-1);
  expect(pointAfter('ArrowLeft', 0, at)).toBe(2);
  expect(pointAfter('ArrowDown', 0, at)).toBe(3);
  expect(pointAfter('ArrowUp', 0, at)).toBe(4);
  expect(pointAfter('ArrowRight', 0, { ...at, isShown: (point) => point !== 1 })).toBe(5);
  expect(pointAfter('Enter', 0, at)).toBe(-1);
});

test('without a start point, an arrow leads to the point nearest to the centre, however far', () => {
  expect(pointAfter('ArrowUp', -1, at)).toBe(0);
  expect(pointAfter('ArrowUp', -1, { ...at, viewport: { scale: 10, x: 9000, y: 50 } })).toBe(2);
});

test('the view moves to a point outside it, and by an arrow key', () => {
  expect(viewWith(1, viewport, size, positions)).toBe(viewport);
  expect(viewWith(5, viewport, size, positions)).toEqual({ scale: 10, x: -200, y: 50 });
  expect(viewAfter('ArrowLeft', viewport, size, positions)).toEqual({ scale: 10, x: 160, y: 50 });
  expect(viewAfter('a', viewport, size, positions)).toBeUndefined();
});

test('keys with Ctrl, Cmd or Alt are left to the browser', () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false };
  expect(isMapKey(plain)).toBe(true);
  expect(isMapKey({ ...plain, ctrlKey: true })).toBe(false);
  expect(isMapKey({ ...plain, metaKey: true })).toBe(false);
  expect(isMapKey({ ...plain, altKey: true })).toBe(false);
});
