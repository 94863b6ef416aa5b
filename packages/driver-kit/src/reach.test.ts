import { expect, test } from 'vitest';
import { assertReach } from './reach.ts';

test.each([
  [500, 'Narrow it down to fewer rows.'],
  [null, 'Use a statement whose rows can be counted.'],
])(
  'a statement is refused if its rows are too many or cannot be counted (rows: %s), with a hint that fits',
  (rows, hint) => {
    const loss = { tables: [{ table: 'orders', rows }], cascades: false, schema: '' };
    expect(() => assertReach(loss, { reach: 100 })).toThrow(
      expect.objectContaining({ code: 'above_ceiling', hint }),
    );
  },
);
