import { join } from 'node:path';
import type { Change, ChangeSet } from '@trestle/driver-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../errors.ts';
import { openStorage } from '../storage/storage.ts';
import { spoilTable } from '../storage/testing/damaged-home.ts';
import { fixtureDraft, testCore } from '../testing/test-core.ts';
import type { Core, SaveFrame } from '../types.ts';
import { SaveJournal } from './save-journal.ts';

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

test('a save reports its outcomes and keeps them until they are acknowledged', async () => {
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
  expect(await noted(core, connectionId)).toEqual([{ id: id(1), startedAt, running: false, outcomes }]);
  expect(await core.saves.unsettled({ connectionId, table: 't', partition: 'p' })).toEqual([]);
  core.saves.acknowledge(id(1));
  expect(await noted(core, connectionId)).toEqual([]);
});

test('a save without a reader continues, and a second save of the same table and partition is refused meanwhile', async () => {
  const { core, connectionId, behave } = await begin();
  behave({ hang: ['applyChanges'] });
  const first = core.saves.start({ id: id(1), connectionId, changes: rows('a', 'b') });
  expect(() => core.saves.start({ id: id(2), connectionId, changes: rows('c') })).toThrow(
    'Another save of t is running',
  );
  expect(await noted(core, connectionId)).toMatchObject([{ id: id(1), running: true, outcomes: [] }]);
  core.saves.acknowledge(id(1));
  const other = core.saves.start({ id: id(3), connectionId, changes: { ...rows('c'), partition: 'p' } });
  await expect.poll(() => core.sessions.status(connectionId).state).toBe('connected');
  core.saves.cancel(id(1));
  core.saves.cancel(id(3));
  expect((await frames(first)).at(-1)).toMatchObject({ error: { code: 'cancelled' } });
  expect((await frames(other)).at(-1)).toMatchObject({ error: { code: 'cancelled' } });
  expect(await noted(core, connectionId)).toMatchObject([{ id: id(1), running: false }]);
});

test('if a cancel arrives before its save, the save sends nothing', async () => {
  const { core, connectionId } = await begin();
  core.saves.cancel(id(1));
  const [end, ...others] = await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a') }));
  expect([end, others]).toMatchObject([{ error: { code: 'cancelled' } }, []]);
  expect(await noted(core, connectionId)).toMatchObject([{ outcomes: [] }]);
});

test('a save that claims a record writes the record first, and sends nothing if another window has already written it', async () => {
  const { core, connectionId } = await begin();
  const claim = (version: number) => ({ key: 'staged', version, value: version });
  const start = (digit: number, version: number) =>
    frames(
      core.saves.start({
        id: id(digit),
        connectionId,
        changes: rows(`row ${digit}`),
        claim: claim(version),
      }),
    );
  const [first, ...others] = await start(1, 0);
  const { version } = core.records.get('staged')!;
  expect(first).toEqual({ claim: { written: true, version } });
  expect(others).toMatchObject([{ outcomes: [{ status: 'applied' }] }, { done: true }]);
  expect(await start(2, 0)).toEqual([
    { claim: { written: false, current: { key: 'staged', version, value: 0 } } },
  ]);
  expect(await noted(core, connectionId)).toMatchObject([{ id: id(1) }]);
});

test('a save that cannot be journalled stops with the reason, not as cancelled', async () => {
  const { core, connectionId, behave } = await begin();
  behave({ hang: ['applyChanges'] });
  const failure = new AppError({ code: 'storage_failed', message: 'The disk is full' });
  const spy = vi.spyOn(SaveJournal.prototype, 'note').mockImplementationOnce(() => {
    throw failure;
  });
  onTestFinished(() => spy.mockRestore());
  const told = await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a', 'b', 'c') }));
  expect(told.at(-1)).toMatchObject({ error: { code: 'storage_failed', message: 'The disk is full' } });
});

test('when a driver dies, only the running row is unknown', async () => {
  const { core, connectionId, behave } = await begin();
  behave({ exit: ['applyChanges'] });
  const told = await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a', 'b', 'c') }));
  expect(told).toMatchObject([
    { outcomes: [{ id: 'a', status: 'unknown' }] },
    { error: { code: 'driver_crashed' } },
  ]);
  expect(await noted(core, connectionId)).toMatchObject([{ outcomes: [{ id: 'a', status: 'unknown' }] }]);
});

test('after a driver died, its next process is asked about the running row', async () => {
  const { core, connectionId, behave } = await begin();
  behave({ exit: ['applyChanges'], settled: { a: 'applied' } });
  const told = await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a', 'b') }));
  expect(told).toMatchObject([
    { outcomes: [{ id: 'a', status: 'applied' }] },
    { error: { code: 'driver_crashed' } },
  ]);
});

test('the key that a driver chose for a new row is kept until its outcome is known', async () => {
  const { core, connectionId, behave, home } = await begin();
  const keys = { a: { id: 7 } };
  behave({ exit: ['applyChanges'], keys });
  const told = await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a') }));
  expect(told[0]).toMatchObject({ outcomes: [{ id: 'a', status: 'unknown', key: { id: 7 } }] });
  core.saves.acknowledge(id(1));
  await core.close();
  // The state that a killed app leaves.
  const storage = openStorage(home);
  const journal = new SaveJournal(storage);
  journal.begin(id(2), { connectionId, table: 't' });
  journal.note(id(2), { sent: ['a'], keys, outcomes: [] }, new Map([['a', row('a')]]));
  storage.close();

  const next = await testCore({ home });
  const outcomes = async () => (await noted(next.core, connectionId))[0]!.outcomes;
  next.behave({ fail: { settleChanges: { code: 'connection_failed', message: 'No server' } } });
  expect(await outcomes()).toMatchObject([{ id: 'a', status: 'unknown', key: { id: 7 } }]);
  next.behave({ settled: { a: 'applied' } });
  expect(await outcomes()).toEqual([{ id: 'a', status: 'applied', key: { id: 7 } }]);
});

test('a row that was running when its driver died stays unknown if the driver has no settleChanges', async () => {
  const { core, connectionId, behave } = await begin();
  behave({ exit: ['applyChanges'], without: ['settleChanges'] });
  const told = await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a') }));
  expect(told[0]).toMatchObject({ outcomes: [{ id: 'a', status: 'unknown' }] });
});

test('a new row that was stored is not sent again before its outcome is acknowledged', async () => {
  const { core, connectionId } = await begin();
  await frames(core.saves.start({ id: id(1), connectionId, changes: rows('a') }));
  expect(() => core.saves.start({ id: id(2), connectionId, changes: rows('a', 'b') })).toThrow(
    'An earlier save of t sent some of these new rows',
  );
  core.saves.acknowledge(id(1));
  const told = await frames(core.saves.start({ id: id(2), connectionId, changes: rows('b') }));
  expect(told.at(-1)).toEqual({ done: true });
});

test('stopping the app does not wait until a save ends, and the next start knows which rows were sent', async () => {
  const { core, connectionId, behave, home } = await begin();
  behave({ hang: ['applyChanges'] });
  const told = frames(core.saves.start({ id: id(1), connectionId, changes: rows('a', 'b') }));
  await expect.poll(() => core.sessions.status(connectionId).state).toBe('connected');
  await core.close();
  expect((await told).at(-1)).toHaveProperty('error');
  const next = await testCore({ home });
  expect(await noted(next.core, connectionId)).toMatchObject([
    { id: id(1), running: false, outcomes: [{ id: 'a', status: 'unknown' }] },
  ]);
});

/** The state that a killed app leaves: rows that were sent and not answered. */
function leaveRunning(home: string, connectionId: string, ...ids: string[]): void {
  const storage = openStorage(home);
  const journal = new SaveJournal(storage);
  const changes = rows(...ids).changes;
  journal.begin(id(1), { connectionId, table: 't' });
  const sent = changes.map((change) => change.id);
  journal.note(id(1), { sent, outcomes: [] }, new Map(changes.map((change) => [change.id, change])));
  storage.close();
}

test('rows that were running when the app ended are checked until the driver answers, and then no more', async () => {
  const { core, connectionId, home } = await begin();
  await core.close();
  leaveRunning(home, connectionId, 'a', 'b', 'c');

  const next = await testCore({ home });
  next.behave({ fail: { settleChanges: { code: 'connection_failed', message: 'No server' } } });
  const statuses = async () =>
    (await noted(next.core, connectionId))[0]!.outcomes.map(({ status }) => status);
  expect(await statuses()).toEqual(['unknown', 'unknown', 'unknown']);
  next.behave({ settled: { a: 'applied', b: 'failed' } });
  expect(await Promise.all([statuses(), statuses()])).toEqual([
    ['applied', 'failed', 'unknown'],
    ['applied', 'failed', 'unknown'],
  ]);
  next.behave({ settled: { a: 'failed', b: 'failed', c: 'failed' } });
  expect(await statuses()).toEqual(['applied', 'failed', 'unknown']);
});

test('a save that was running when trestle.db was damaged is settled after the rescue, and not sent again', async () => {
  const { core, connectionId, home } = await begin();
  await core.close();
  leaveRunning(home, connectionId, 'a', 'b');
  const storage = openStorage(home);
  spoilTable(storage, join(home, 'trestle.db'), 'tokens');
  storage.close();

  const next = await testCore({ home });
  expect(next.core.damage.found).toContain('1 connection was taken over');
  next.behave({ settled: { a: 'applied', b: 'failed' } });
  expect(await noted(next.core, connectionId)).toMatchObject([
    { id: id(1), running: false, outcomes: [{ status: 'applied' }, { status: 'failed' }] },
  ]);
  expect(() => next.core.saves.start({ id: id(2), connectionId, changes: rows('a') })).toThrow(
    'An earlier save of t sent some of these new rows',
  );
});

test('if the journal of a running save cannot be read, the user is told to look for its rows', async () => {
  const { core, connectionId, home } = await begin();
  await core.close();
  leaveRunning(home, connectionId, 'a');
  const storage = openStorage(home);
  spoilTable(storage, join(home, 'trestle.db'), 'saves');
  storage.close();

  const next = await testCore({ home });
  expect(next.core.damage.found).toContain(
    'Some entries of the damaged file could not be taken over: running saves. ' +
      'A save that was running may have stored its rows: look for them before you save them again.',
  );
});

test('if a stored outcome is damaged, the row is looked up by the key in its change', async () => {
  const { core, connectionId, home } = await begin();
  await core.close();
  const storage = openStorage(home);
  const journal = new SaveJournal(storage);
  journal.begin(id(1), { connectionId, table: 't' });
  const changes = new Map([['a', row('a')]]);
  journal.note(id(1), { sent: ['a'], keys: { a: { id: 7 } }, outcomes: [] }, changes);
  journal.note(id(1), { sent: [], outcomes: [{ id: 'a', status: 'applied' }] }, changes);
  storage.run("UPDATE save_rows SET outcome = x'00ff'");
  expect(journal.of({ connectionId, table: 't' })).toMatchObject([
    { rows: [{ change: { ...row('a'), key: { id: 7 } }, outcome: null }] },
  ]);
  storage.close();

  const next = await testCore({ home });
  next.behave({ settled: { a: 'applied' } });
  expect(await noted(next.core, connectionId)).toMatchObject([
    { outcomes: [{ id: 'a', status: 'applied', key: { id: 7 } }] },
  ]);
});

test.each([
  ['cannot be read', "UPDATE save_rows SET change = x'00ff'"],
  ['has the id of another change', "UPDATE save_rows SET change_id = 'b'"],
])(
  'if the journal row of a change %s, its outcome is unknown, and the change is not sent again',
  async (_, sql) => {
    const { core, connectionId, home } = await begin();
    await core.close();
    leaveRunning(home, connectionId, 'a');
    const storage = openStorage(home);
    storage.run(sql);
    const sent = String(storage.get('SELECT change_id FROM save_rows')?.change_id);
    storage.close();

    const next = await testCore({ home });
    next.behave({ settled: { a: 'failed', b: 'failed' } });
    expect(await noted(next.core, connectionId)).toMatchObject([
      {
        outcomes: [
          { id: sent, status: 'unknown', error: { message: 'Sent, but its entry in trestle.db is damaged' } },
        ],
      },
    ]);
    expect(() => next.core.saves.start({ id: id(2), connectionId, changes: rows(sent) })).toThrow(
      'An earlier save of t sent some of these new rows',
    );
  },
);
