import { expect, test } from 'vitest';
import { summaryLines } from './import-report.ts';

test('the advice to run an import again says what happens to the stored rows', () => {
  const counts = { rows: 10, stored: 4, replaced: 0, existing: 0, failed: 1, unknown: 0 };
  const report = { ...counts, ended: 'cancelled' as const };
  const told = { isDry: false, table: 'Pet', failedFile: null, hasNewIds: false, replaces: false };
  const last = (change: Partial<typeof told>) => summaryLines(report, { ...told, ...change }).at(-1);
  expect(last({})).toBe('Run the same command again to continue: stored rows do not change.');
  expect(last({ replaces: true })).toBe(
    'Run the same command again to continue: stored rows are replaced again.',
  );
  expect(last({ hasNewIds: true, replaces: true })).toContain(
    'would store the rows without an id a second time',
  );
  expect(summaryLines(report, { ...told, failedFile: '/f', replaces: true })).toContain(
    'Run the same command again with another file for --failed to continue: stored rows are replaced again.',
  );
});
