import { type Change, type ChangeOutcome, type RowKey, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { type Means, sendRows } from './send-rows.ts';

const rows = ['a', 'b', 'c'].map((id) => ({ id, values: { nr: id, text: id } }));
const conflict = { code: 'conflict', message: 'refused' } as const;

/** A table that has the row `b`. It refuses `b` because the row exists, and `c` for another reason. */
function table(more: Partial<Means> = {}) {
  const sent: Change[] = [];
  const store: Means['apply'] =
    more.apply ??
    async function* (changes) {
      sent.push(...changes);
      const outcomes = changes.map(
        ({ kind, id }): ChangeOutcome =>
          kind === 'insert' && id !== 'a'
            ? { id, status: 'failed', error: conflict }
            : { id, status: 'applied' },
      );
      yield { sent: [], outcomes };
    };
  const means: Means = {
    key: ['nr'],
    replace: false,
    insert: store,
    apply: store,
    find: async (keys: RowKey[]) =>
      rowSetFromCells(
        [{ name: 'nr', type: 'text', nativeType: 'text' }],
        keys.filter(({ nr }) => nr === 'b').map(({ nr }) => [nr!]),
      ),
    ...more,
  };
  return { sent, means };
}

test('a refused row counts as existing only if its id exists', async () => {
  expect(await sendRows(rows, table().means)).toEqual({
    outcomes: [
      { id: 'a', status: 'stored' },
      { id: 'b', status: 'existing' },
      { id: 'c', status: 'failed', problem: 'refused' },
    ],
  });
});

test('with replace, only the existing row is updated, and its key is not written', async () => {
  const { sent, means } = table({ replace: true });
  const { outcomes } = await sendRows(rows, means);
  expect(outcomes.map(({ status }) => status)).toEqual(['stored', 'replaced', 'failed']);
  expect(sent.filter(({ kind }) => kind === 'update')).toEqual([
    { kind: 'update', id: 'b', key: { nr: 'b' }, values: { text: 'b' } },
  ]);
});

test('if the lookup of refused rows fails, the import stops and keeps the outcomes; without a lookup, it continues', async () => {
  const gone = new AppError({ code: 'connection_failed', message: 'No server' });
  const { outcomes, stopped } = await sendRows(rows, table({ find: () => Promise.reject(gone) }).means);
  expect(outcomes.map(({ status }) => status)).toEqual(['stored', 'failed', 'failed']);
  expect(stopped).toEqual({ code: 'connection_failed', message: 'No server' });

  const unable = new AppError({ code: 'unsupported', message: 'no single rows' });
  expect(await sendRows(rows, table({ find: () => Promise.reject(unable) }).means)).not.toHaveProperty(
    'stopped',
  );
});

test('a row that the driver skipped because its id exists counts as existing, and is replaced on request', async () => {
  async function* insert() {
    const outcomes: ChangeOutcome[] = [
      { id: 'a', status: 'skipped', existing: true },
      { id: 'b', status: 'applied' },
      { id: 'c', status: 'applied' },
    ];
    yield { sent: [], outcomes };
  }
  const statuses = async (more: Partial<Means>) =>
    (await sendRows(rows, table({ insert, ...more }).means)).outcomes.map(({ status }) => status);
  expect(await statuses({})).toEqual(['existing', 'stored', 'stored']);
  expect(await statuses({ replace: true })).toEqual(['replaced', 'stored', 'stored']);
});

test('a batch that ends early returns the outcomes so far and the reason', async () => {
  async function* apply() {
    yield { sent: [], outcomes: [{ id: 'a', status: 'applied' as const }] };
    throw new AppError({ code: 'driver_crashed', message: 'The driver ended' });
  }
  expect(await sendRows(rows, table({ apply }).means)).toEqual({
    outcomes: [{ id: 'a', status: 'stored' }],
    stopped: { code: 'driver_crashed', message: 'The driver ended' },
  });
});
