import { expect, test } from 'vitest';
import { assertReach } from './reach.ts';

test.each([
  [500, 'Narrow it down to fewer rows.'],
  [null, 'Use a statement whose rows can be counted.'],
])('a statement on %s rows is above the limit, and the hint helps', (rows, hint) => {
  const loss = { tables: [{ table: 'orders', rows }], cascades: false, schema: '' };
  expect(() => assertReach(loss, { reach: 100 })).toThrow(
    expect.objectContaining({ code: 'above_ceiling', hint }),
  );
});
