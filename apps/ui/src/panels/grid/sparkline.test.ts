import { expect, test } from 'vitest';
import { sparklinePath } from './sparkline.ts';

const box = { width: 4, height: 10, bars: 2 };

test('each bar shows the value farthest from zero in its section of the vector', () => {
  expect(sparklinePath([0.1, 1, -0.5, 0.2], box)).toBe('M1 5V0.5M3 5V7.3');
  expect(sparklinePath([1], box)).toBe('M2 5V0.5');
});

test('a vector without numbers to draw has no bars', () => {
  expect(sparklinePath([], box)).toBe('');
  expect(sparklinePath([0, 0], box)).toBe('');
  expect(sparklinePath([Number.NaN, Number.POSITIVE_INFINITY], box)).toBe('');
});
