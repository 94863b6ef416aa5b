import type { Change, ChangeSet } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { fixtureDraft, testCore } from '../testing/test-core.ts';
import type { Core, SaveFrame } from '../types.ts';

const row = (id: string): Change => ({ kind: 'insert', id, values: {} });
const rows = (...ids: string[]): ChangeSet => ({ table: 't', changes: ids.map(row) });
const id = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;

async function begin() {
  const parts = await testCore();
  const connection = await parts.core.connections.create(fixtureDraft);
  return { ...parts, connectionId: connection.id };
}

async function frames(reading: AsyncIterable<SaveFrame>): Promise<SaveFrame[]> {
  return Array.fromAsync(reading);
}

const noted = (core: Core, connectionId: string) => core.saves.unsettled({ connectionId, table: 't' });

test('a save tells its outcomes and keeps them until they are acknowledged', async () => {
  const { core, connectionId } = await begin();
  const changes = { table: 't', changes: [row('a'), { kind: 'delete' as const, id: 'b', key: { id: 1 } }] };
  const outcomes = [
    { id: 'a', status: 'applied' },
    { id: 'b', status: 'failed', error: { code: 'conflict', message: 'refused by •••' } },
  ];
  expect(await frames(core.saves.start({ id: id(1), connectionId, changes }))).toEqual([
    { outcomes: [outcomes[0]] },
    { outcomes: [outcomes[1]] },
    { done: true },
  ]);
  const startedAt = expect.any(String);
  expect(noted(core, connectionId)).toEqual([{ id: id(1), startedAt, running: false, outcomes }]);
  expect(core.saves.unsettled({ connectionId, table: 't', partition: 'p' })).toEqual([]);
  core.saves.acknowledge(id(1));
  expect(noted(core, connectionId)).toEqual([]);
});

test('a save that nobody reads goes on, and a second one of the same table is refused meanwhile', async () => {
  const { core, connectionId, behave } = await begin();
  behave({ hang: ['applyChanges'] });
  const first = core.saves.start({ id: id(1), connectionId, changes: rows('a', 'b') });
  expect(() => core.saves.start({ id: id(2), connectionId, changes: rows('c') })).toThrow(
    'Another save of t is running',
  );
  expect(noted(core, connectionId)).toMatchObject([{ id: id(1), running: true, outcomes: [] }]);
  core.saves.acknowledge(id(1));
  const other = core.saves.start({ id: id(3), connectionId, changes: { ...rows('c'), partition: 'p' } });
  await expect.poll(() => core.sessions.status(connectionId).state).toBe('connected');
  core.saves.cancel(id(1));
  core.saves.cancel(id(3));
  expect((await frames(first)).at(-1)).toMatchObject({ error: { code: 'cancelled' } });
  expect((await frames(other)).at(-1)).toMatchObject({ error: { code: 'cancelled' } });
  expect(noted(core, connectionId)).toMatchObject([{ id: id(1), running: false }]);
});

test('a cancel that comes before its save keeps it from beginning', async () => {
  const { core, connectionId } = await begin();
  core.saves.cancel(id(1));
  const [end, ...others] = await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a') }));
  expect([end, others]).toMatchObject([{ error: { code: 'cancelled' } }, []]);
  expect(noted(core, connectionId)).toMatchObject([{ outcomes: [] }]);
});

test('a driver that dies leaves the row that was under way unknown, and no other', async () => {
  const { core, connectionId, behave } = await begin();
  behave({ exit: ['applyChanges'] });
  const told = await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a', 'b', 'c') }));
  expect(told).toMatchObject([
    { outcomes: [{ id: 'a', status: 'unknown' }] },
    { error: { code: 'driver_crashed' } },
  ]);
  expect(noted(core, connectionId)).toMatchObject([{ outcomes: [{ id: 'a', status: 'unknown' }] }]);
});

test('a new row whose outcome is not acknowledged is not sent again', async () => {
  const { core, connectionId } = await begin();
  await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a') }));
  expect(() => core.saves.start({ id: id(2), connectionId, changes: rows('a', 'b') })).toThrow(
    'An earlier save of t sent some of these new rows',
  );
  core.saves.acknowledge(id(1));
  const told = await frames(core.saves.start({ id: id(2), connectionId, changes: rows('b') }));
  expect(told.at(-1)).toEqual({ done: true });
});

test('the end of the app does not wait for a save, and what it had sent is known afterwards', async () => {
  const { core, connectionId, behave, home } = await begin();
  behave({ hang: ['applyChanges'] });
  const told = frames(core.saves.start({ id: id(1), connectionId, changes: rows('a', 'b') }));
  await expect.poll(() => core.sessions.status(connectionId).state).toBe('connected');
  await core.close();
  expect((await told).at(-1)).toHaveProperty('error');
  const next = await testCore({ home });
  expect(noted(next.core, connectionId)).toMatchObject([{ id: id(1), running: false }]);
});
