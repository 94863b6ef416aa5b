import { expect, test } from 'vitest';
import { summarize, type Test } from './results.ts';

const of = (file: string, name: string, more: Partial<Test> = {}): Test => ({
  project: 'browser',
  file,
  name,
  state: 'passed',
  retries: 0,
  ...more,
});

test('failures come last, after the retried tests and one line for each file and reason of skipped tests', () => {
  const error = 'expected 1 to be 2\n  at line 3';
  const skipped = { state: 'skipped' } as const;
  const tests = [
    of('a.test.ts', 'fails', { state: 'failed', retries: 2, error }),
    of('a.test.ts', 'contract > Weaviate 1.27.27 > reads'),
    of('b.test.ts', 'driver contract: SQLite > near_text', { ...skipped, reason: 'no near_text' }),
    of('b.test.ts', 'driver contract: Weaviate 1.39.0 > near_text', { ...skipped, reason: 'no near_text' }),
    of('b.test.ts', 'alone', { ...skipped, reason: 'too slow here' }),
    of('c.test.ts', 'a map (needs Chromium)', skipped),
    of('d.test.ts', 'two (needs Chromium)', skipped),
    of('d.test.ts', 'three (needs Chromium)', skipped),
    of('d.test.ts', 'not run', { state: 'pending' }),
    of('e.test.ts', 'hangs once', { retries: 1, error: 'timeout' }),
    of('h.test.ts', 'waits', { project: 'unit', retries: 2, error: 'timeout' }),
  ];
  const problems = [{ file: 'f.test.ts', error: 'no module g' }, { error: 'closed' }];
  expect(summarize(tests, problems)).toEqual({
    passed: 3,
    failed: 4,
    skipped: 7,
    weaviate: ['1.27.27'],
    lines: [
      'skipped: 2 tests of b.test.ts: no near_text',
      'skipped: b.test.ts > alone: too slow here',
      'skipped: c.test.ts > a map (needs Chromium)',
      'skipped: 2 tests of d.test.ts: needs Chromium',
      'skipped: d.test.ts > not run',
      'retried 1×, then passed: e.test.ts > hangs once: timeout',
      'retried 2×, then passed: h.test.ts > waits: timeout',
      '2 passed only after a retry.',
      'FAILED: a.test.ts > fails: expected 1 to be 2',
      'FAILED: f.test.ts: no module g',
      'FAILED: closed',
      'FAILED: h.test.ts > waits: only tests of browser and weaviate may be retried',
    ],
  });
});
