import type { Caller, Core, HistoryEntry } from '@trestle/core';
import { expect, test } from 'vitest';
import { complete } from './completions.ts';
import { historyAnswer } from './history.ts';
import { createFakeCore, token } from './testing/fake-core.ts';

const caller: Caller = { kind: 'client', token: token('a'), clientName: 'probe', process: null };
const connections = [{ id: 'c-open', name: 'Open' }];

function coreWith(...entries: Partial<HistoryEntry>[]): Core {
  const plain = {
    ...{ at: '2026-01-01T00:00:00.000Z', connectionId: 'c-open', caller: 'person', outcome: 'ok' },
    ...{ error: null, rows: 1, durationMs: 1, cutFrom: null },
  };
  const { core } = createFakeCore();
  const sessions = { ...core.sessions, admit: async () => {} };
  const history = { searchAs: () => entries.map((entry) => ({ ...plain, ...entry })) };
  return { ...core, sessions, history } as unknown as Core;
}

test('a long statement is cut to its beginning, and the older statements follow', () => {
  const long = `INSERT ${'"'.repeat(60_000)}`;
  const core = coreWith(
    { text: long },
    { text: long.slice(0, 50_000), cutFrom: 90_000 },
    { text: 'SELECT 1' },
  );
  const lines = historyAnswer(core, { caller, connections, limit: 10 }).text.toString().split('\n');
  const queries = lines.slice(2, 5).map((line) => line.split('\t').at(-1));
  const start = long.slice(0, 500);
  expect(queries).toEqual([
    `${start}… (the beginning of ${long.length} characters)`,
    `${start}… (the beginning of 90000 characters)`,
    'SELECT 1',
  ]);
  expect(lines).toHaveLength(6);
});

test('a completion offers no statement of which only the beginning is stored', async () => {
  const core = coreWith({ text: 'SELECT 1' }, { text: 'SELECT 2', cutFrom: 70_000 });
  const request = {
    ref: { type: 'ref/prompt' as const, name: 'review_query' },
    argument: { name: 'query', value: '' },
    settled: { connection_id: 'c-open' },
  };
  const { signal } = new AbortController();
  expect(await complete(request, { core, caller, signal })).toEqual(['SELECT 1']);
});
