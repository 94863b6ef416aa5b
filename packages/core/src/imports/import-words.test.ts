import { expect, test } from 'vitest';
import { importOutcome, importProgress } from './import-words.ts';

const counts = { stored: 9_000, replaced: 0, existing: 12, failed: 3, unknown: 0 };

test('the progress of an import counts every row of the file once', () => {
  expect(importProgress(counts, 10_000)).toEqual({
    done: 9_015,
    total: 10_000,
    words: '9,000 stored, 12 exist already, 3 failed of 10,000 rows',
  });
  expect(importProgress(counts, 10_000, 'cancelled').words).toContain(', 985 not sent of 10,000 rows');
  const one = { stored: 1, replaced: 0, existing: 0, failed: 0, unknown: 0 };
  expect(importProgress(one, 1, 'complete').words).toBe('1 stored of 1 row');
  expect(importProgress({ ...one, existing: 1 }, 2).words).toBe('1 stored, 1 exists already of 2 rows');
});

test('an import is complete only if every row was answered and none failed', () => {
  const of = (more: object) => {
    const { how, words } = importOutcome({ ...counts, rows: 1, ended: 'complete', ...more });
    return [how, words];
  };
  expect(of({ failed: 0 })).toEqual(['complete', 'The import is done']);
  expect(of({})).toEqual(['failed', 'Some rows failed']);
  expect(of({ unknown: 1 })).toEqual(['failed', 'Some rows failed or got no answer']);
  expect(of({ failed: 0, unknown: 1 })).toEqual(['unknown', 'Some rows got no answer']);
  expect(of({ ended: 'cancelled' })).toEqual(['cancelled', 'The import was cancelled']);
  expect(of({ ended: 'stopped' })).toEqual(['failed', 'The import stopped']);
});
