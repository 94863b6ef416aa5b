import { expect, test } from 'vitest';
import { isSecondClick } from './is-second-click.ts';

test('only the later clicks of a double or triple click count as second clicks', () => {
  // For a click by keyboard, `detail` is 0.
  expect([0, 1, 2, 3].map((detail) => isSecondClick({ detail }))).toEqual([false, false, true, true]);
});
