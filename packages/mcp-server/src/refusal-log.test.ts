import type { NewActivity } from '@trestle/core';
import { expect, test } from 'vitest';
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
