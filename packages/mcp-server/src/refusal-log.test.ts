import type { NewActivity } from '@trestle/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RefusalLog } from './refusal-log.ts';
import { token } from './testing/fake-core.ts';

test('refusals are logged at most once a minute for each token, even if several bridge processes use it', () => {
  let now = 1_000_000;
  const rows: NewActivity[] = [];
  const log = new RefusalLog({ record: (row) => rows.push(row) }, () => now);
  log.limited({ token: token('a'), process: 'p1' }, 'first');
  log.limited({ token: token('a'), process: 'p2' }, 'second');
  log.limited({ token: token('b'), process: null }, 'third');
  now += 60_000;
  log.limited({ token: token('a'), process: 'p1' }, 'fourth');
  expect(rows.map(({ action, tokenName, outcome, detail }) => [action, tokenName, outcome, detail])).toEqual([
    ['rate limit', 'a', 'denied', 'first'],
    ['rate limit', 'b', 'denied', 'third'],
    ['rate limit', 'a', 'denied', 'fourth'],
  ]);
});

test('refusals are logged after the clock was set back', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const rows: NewActivity[] = [];
  const log = new RefusalLog({ record: (row) => rows.push(row) });
  log.limited({ token: token('a'), process: null }, 'first');
  vi.setSystemTime(Date.now() - 3_600_000);
  vi.advanceTimersByTime(60_000);
  log.limited({ token: token('a'), process: null }, 'second');
  expect(rows.map(({ detail }) => detail)).toEqual(['first', 'second']);
});
