import { expect, test } from 'vitest';
import { durationText } from './duration-text.ts';

test('a duration that rounds up to the next unit is written in that unit', () => {
  expect([8.4, 999.4, 999.7, 1234].map(durationText)).toEqual(['8 ms', '999 ms', '1.0 s', '1.2 s']);
  expect([59_949, 59_990, 119_999, 125_000].map(durationText)).toEqual([
    '59.9 s',
    '1 min 0 s',
    '2 min 0 s',
    '2 min 5 s',
  ]);
});
