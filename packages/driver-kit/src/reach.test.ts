import { expect, test } from 'vitest';
import { assertBudget, assertReach } from './reach.ts';
import { writtenInWords } from './written.ts';

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

test('a budget covers changed and new rows, each by itself', () => {
  const budget = { changed: 5, inserted: 2 };
  assertBudget({ changed: 5, inserted: 2 }, { budget });
  assertBudget({ changed: 9, inserted: 9 }, {});
  for (const written of [
    { changed: 6, inserted: 0 },
    { changed: 0, inserted: 3 },
  ]) {
    expect(() => assertBudget(written, { budget })).toThrow(
      expect.objectContaining({ code: 'over_budget', written }),
    );
  }
});

test('the words for written rows leave out a kind that has none', () => {
  expect(writtenInWords({ changed: 1, inserted: 0 })).toBe('1 row changed or deleted');
  expect(writtenInWords({ changed: 0, inserted: 2 })).toBe('2 new rows');
  expect(writtenInWords({ changed: 3, inserted: 1 })).toBe('3 rows changed or deleted and 1 new row');
  expect(writtenInWords({ changed: 0, inserted: 0 })).toBe('0 rows changed or deleted');
});
