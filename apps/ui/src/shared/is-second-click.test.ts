import { expect, test } from 'vitest';
import { isSecondClick } from './is-second-click.ts';

test('only the later clicks of a double or triple click count as second clicks', () => {
  // A click by keyboard has the number 0.
  expect([0, 1, 2, 3].map((detail) => isSecondClick({ detail }))).toEqual([false, false, true, true]);
});
