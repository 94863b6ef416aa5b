import { expect, test } from 'vitest';
import type { CopyReport } from '../types.ts';
import { copyOutcome, countWords } from './copy-words.ts';

const report: CopyReport = {
  copied: 10_000,
  existing: 0,
  failed: 0,
  unknown: 0,
  total: 10_000,
  isNew: true,
  unavailable: [],
  ended: 'complete',
  inTarget: 10_000,
  compared: 50,
  different: [],
  problems: [],
};

test.each<[Partial<CopyReport> | null, string, string]>([
  [{}, 'complete', 'The copy is done'],
  [{ ended: 'cancelled' }, 'cancelled', 'The copy was cancelled'],
  [{ ended: 'stopped' }, 'failed', 'The copy stopped'],
  [{ failed: 1 }, 'failed', 'Some rows were not copied'],
  [{ unknown: 1 }, 'unknown', 'Some rows may not have been copied'],
  [{ unavailable: ['cold'] }, 'failed', 'Some tenants were not copied'],
  [{ different: ['a'] }, 'failed', 'The copy differs from its source'],
  [{ inTarget: 9_999 }, 'failed', 'The copy differs from its source'],
  [null, 'failed', 'The copy was interrupted'],
])(
  'a copy with %j ends as %s, can continue unless it is whole, and says how it ended',
  (more, how, words) => {
    const outcome = copyOutcome(more && { ...report, ...more });
    expect(outcome).toEqual({ how, words, canContinue: how !== 'complete' });
  },
);

test('counts are in words, and the words about one row are singular', () => {
  expect(countWords({ ...report, existing: 2, failed: 1 })).toBe(
    '10,000 of 10,000 rows copied, 2 were there already, 1 failed',
  );
  expect(countWords({ ...report, copied: 0, existing: 1, total: 1 })).toBe(
    '0 of 1 row copied, 1 was there already',
  );
});
