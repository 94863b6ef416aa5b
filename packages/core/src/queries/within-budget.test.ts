import { expect, test } from 'vitest';
import { left, openStars, reached, remove, sqlite } from '../testing/stars.ts';
import { accessTo, client, fixtureDraft, questions, saved, testCore } from '../testing/test-core.ts';
import type { Caller } from '../types.ts';

const limit = 1;

test('the count outlives a restart of the app', async () => {
  const { core, home, id } = await openStars();
  await remove(core, id, 70);
  await core.close();
  const { core: later } = await testCore({ bundledDrivers: sqlite, home });
  await expect(remove(later, id, 31)).rejects.toMatchObject(reached);
  await remove(later, id, 30);
  expect(await left(later, id)).toBe(900);
});

test('the user writes without a limit', async () => {
  const { core, id } = await openStars();
  for (let at = 0; at < 3; at++)
    await core.data.runQuery(accessTo(id), { text: `DELETE FROM stars WHERE id <= ${at}50`, limit });
  await remove(core, id, 100);
});

test('a question shows the waiting call, and levels that the user lowers while it is open hold', async () => {
  const { core, id } = await openStars();
  await remove(core, id, 90);
  core.approvals.setPresence('window');
  const save = saved(core, accessTo(id, client()), {
    table: 'stars',
    changes: Array.from({ length: 20 }, (_, at) => ({ kind: 'delete', id: `${at}`, key: { id: 500 + at } })),
  });
  const [question] = await questions(core);
  expect(question).toMatchObject({
    kind: 'budget',
    title: 'Let “Some client” change or delete 100 more rows in “Stars”?',
    may: 'The clients with this token have changed or deleted 90 rows of this connection in the last hour. A yes allows the rows of an hour once more: 100 changed or deleted, 100 new.',
    wants: 'Write more: 20 rows changed or deleted',
    action: 'applyChanges',
    table: 'stars',
    statement: null,
  });
  const stored = core.connections.get(id)!;
  await core.connections.update(id, { ...stored, externalClients: 'readOnly' });
  await expect(save).rejects.toMatchObject({ code: expect.stringMatching(/^(read_only|cancelled)$/) });
  expect(await left(core, id)).toBe(910);
});

test('a call that is cancelled while the user is asked withdraws the question', async () => {
  const { core, id } = await openStars();
  await remove(core, id, 100);
  core.approvals.setPresence('window');
  const controller = new AbortController();
  const call = core.data.runQuery(accessTo(id, client(), controller.signal), {
    text: 'DELETE FROM stars WHERE id = 999',
    limit,
  });
  await questions(core);
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
  expect(core.approvals.pending()).toEqual([]);
  const next = remove(core, id, 100);
  core.approvals.answer((await questions(core))[0]!.id, 'allow');
  await next;
  core.approvals.setPresence('none');
  await expect(remove(core, id, 1)).rejects.toMatchObject(reached);
});

test('a yes to a call that needs more than the limit allows this call', async () => {
  const { core, id } = await openStars();
  core.approvals.setPresence('window');
  const text = 'INSERT INTO stars (name) SELECT name FROM stars';
  const call = core.data.runQuery(accessTo(id, client()), { text, limit });
  const [question] = await questions(core);
  expect(question).toMatchObject({ title: 'Let “Some client” add 1,000 more rows to “Stars”?' });
  core.approvals.answer(question!.id, 'allow');
  await call;
  expect(await left(core, id)).toBe(2000);
  core.approvals.setPresence('none');
  await expect(core.data.runQuery(accessTo(id, client()), { text, limit })).rejects.toMatchObject(reached);
});

test('a setting that is lowered holds at once, and one that is raised', async () => {
  const { core, id } = await openStars();
  await remove(core, id, 60);
  const before = core.connections.get(id)!;
  await core.connections.update(id, { ...before, reachLimit: 50 });
  await expect(remove(core, id, 1)).rejects.toMatchObject(reached);
  core.settings.update({ mcpReachPerHour: 2 });
  await remove(core, id, 40);
  await expect(remove(core, id, 1)).rejects.toMatchObject(reached);
});

test('a driver that does not say how many rows it wrote uses the whole reach limit of a call', async () => {
  const { core, behave } = await testCore();
  core.settings.update({ mcpReachPerHour: 2 });
  const { id } = await core.connections.create(fixtureDraft);
  const run = (text: string) => core.data.runQuery(accessTo(id, client()), { text, limit });
  for (let at = 0; at < 5; at++) await run('SELECT 1');
  behave({ fail: { run: { code: 'query_failed', message: 'no' } } });
  for (let at = 0; at < 5; at++) await expect(run('INSERT')).rejects.toMatchObject({ code: 'query_failed' });
  behave({ fail: { run: { code: 'query_failed', message: 'no', written: { changed: 100, inserted: 0 } } } });
  await expect(run('INSERT')).rejects.toMatchObject({ code: 'query_failed' });
  behave({});
  await run('INSERT');
  const change = { kind: 'update', id: '1', key: { id: 1 }, values: {} } as const;
  await expect(saved(core, accessTo(id, client()), { table: 't', changes: [change] })).rejects.toMatchObject(
    reached,
  );
});

test('a process that ends in the middle of a statement counts it, if it was no read', async () => {
  const { core, behave } = await testCore();
  core.settings.update({ mcpReachPerHour: 1 });
  const { id } = await core.connections.create(fixtureDraft);
  const change = { kind: 'update', id: '1', key: { id: 1 }, values: {} } as const;
  const save = () => saved(core, accessTo(id, client()), { table: 't', changes: [change] });
  const crash = async (text: string) => {
    behave({ exit: ['run'] });
    await expect(core.data.runQuery(accessTo(id, client()), { text, limit })).rejects.toThrow();
    behave({});
  };
  await crash('SELECT 1');
  expect(await save()).toMatchObject([{ status: 'applied' }]);
  await crash('INSERT 1');
  await expect(save()).rejects.toMatchObject(reached);
});

test('a change without an answer counts, and one that was not sent or failed does not', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create({ ...fixtureDraft, reachLimit: 4 });
  core.settings.update({ mcpReachPerHour: 1 });
  const set = (kind: 'update' | 'delete', count: number) => ({
    table: 't',
    changes: Array.from({ length: count }, (_, at) => ({ kind, id: `${at}`, key: { id: at }, values: {} })),
  });
  for (let at = 0; at < 3; at++) {
    expect(await saved(core, accessTo(id, client()), set('delete', 4))).toMatchObject([
      { status: 'failed' },
      {},
      {},
      {},
    ]);
  }
  behave({ hang: ['applyChanges'] });
  const controller = new AbortController();
  const hung = core.data.applyChanges(accessTo(id, client(), controller.signal), set('update', 3));
  for await (const _ of hung) {
    controller.abort();
    break;
  }
  behave({});
  await expect(saved(core, accessTo(id, client()), set('update', 4))).rejects.toMatchObject(reached);
  expect(await saved(core, accessTo(id, client()), set('update', 3))).toHaveLength(3);
});

test('only a person raises the rows of an hour', async () => {
  const { core } = await testCore();
  const program = core.administer({ door: 'link', isPerson: false });
  for (const patch of [{ mcpReachPerHour: 11 }, { mcpNewRowsPerHour: 200_000 }]) {
    await expect(program.updateSettings(patch)).rejects.toMatchObject({ code: 'forbidden' });
  }
  expect(await program.updateSettings({ mcpReachPerHour: 9, theme: 'dark' })).toMatchObject({
    mcpReachPerHour: 9,
  });
  const person = core.administer({ door: 'window', isPerson: true });
  expect(await person.updateSettings({ mcpReachPerHour: 12 })).toMatchObject({ mcpReachPerHour: 12 });
  await expect(person.updateSettings({ mcpReachPerHour: 0 })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  expect(core.activity.list({ limit: 9, action: 'raise_limits' }).map(({ outcome }) => outcome)).toEqual([
    'ok',
    'denied',
    'denied',
  ]);
});

test('a caller of a bridge counts with all others', async () => {
  const { core, id } = await openStars();
  const bridge = (process: string): Caller => ({
    ...(client({ id: process, name: '__stdio_bridge__', kind: 'bridge' }) as Extract<
      Caller,
      { kind: 'client' }
    >),
    process,
  });
  await remove(core, id, 100, bridge('one'));
  await expect(remove(core, id, 1, bridge('two'))).rejects.toMatchObject(reached);
});
