import { expect, test } from 'vitest';
import { nullRefusal } from './fit-pasted.ts';
import { PasteTally } from './paste-tally.ts';

test('each reason follows the name of its column, except the refusal of NULL, which contains the name', () => {
  const tally = new PasteTally();
  tally.doesNotFit('number', 'Expected a number such as 3.14');
  tally.doesNotFit('big', nullRefusal('big'));
  expect(tally.details()).toEqual([
    '2 cells do not fit. Fix them before you save: number: Expected a number such as 3.14; big does not take NULL.',
  ]);
});
