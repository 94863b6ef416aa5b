import type { ActivityEntry } from '@trestle/core';
import { expect, test } from 'vitest';
import { createClientTally } from './client-tally.ts';

test('each count adds the log rows since the last count, and no row of an earlier run', () => {
  const rows: ActivityEntry[] = [];
  const add = (changes: Partial<ActivityEntry> = {}) =>
    rows.push({
      id: rows.length + 1,
      at: new Date(Date.UTC(2026, 0, 1, 0, 0, rows.length)).toISOString(),
      action: 'browse',
      tokenName: 'Laptop',
      clientName: 'editor',
      connectionId: 'c1',
      outcome: 'ok',
      detail: null,
      durationMs: 1,
      rows: 1,
      digest: null,
      ...changes,
    });
  const list = ({ limit, before = Number.POSITIVE_INFINITY }: { limit: number; before?: number }) =>
    rows
      .filter(({ id }) => id < before)
      .reverse()
      .slice(0, limit);
  add({ clientName: 'of an earlier run' });
  const tally = createClientTally({
    activity: {
      list,
      record() {},
      recordLater() {},
      problem: () => null,
      exportCsv: () => [],
      verify: async () => ({ ok: true, checked: 0 }),
    },
  });
  expect(tally()).toEqual([]);
  for (let count = 0; count < 700; count++) add();
  add({ clientName: null });
  add({ clientName: 'chat', outcome: 'denied', action: 'query' });
  tally();
  add({ action: 'count' });
  expect(tally()).toEqual([
    {
      clientName: 'editor',
      tokenName: 'Laptop',
      calls: 701,
      refused: 0,
      last: { at: rows.at(-1)!.at, action: 'count', outcome: 'ok', connectionId: 'c1' },
    },
    {
      clientName: 'chat',
      tokenName: 'Laptop',
      calls: 1,
      refused: 1,
      last: { at: rows.at(-2)!.at, action: 'query', outcome: 'denied', connectionId: 'c1' },
    },
  ]);
});
