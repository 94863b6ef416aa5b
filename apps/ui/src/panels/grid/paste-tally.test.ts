import { expect, test } from 'vitest';
import { nullRefusal } from './fit-pasted.ts';
import { PasteTally } from './paste-tally.ts';

test('the details name each column once, also if the reason contains the name', () => {
  const tally = new PasteTally();
  tally.doesNotFit('number', 'Expected a number such as 3.14');
  tally.doesNotFit('big', nullRefusal('big'));
  expect(tally.details()).toEqual([
    '2 cells do not fit. Fix them before you save: number: Expected a number such as 3.14; big does not take NULL.',
  ]);
});
