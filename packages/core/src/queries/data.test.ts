import { createHash } from 'node:crypto';
import type { ChangeSet, Effect, RowSet } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { AppError } from '../errors.ts';
import { accessTo, client, fixtureDraft, saved, statusWhere, testCore } from '../testing/test-core.ts';
import type { Caller, Core, DataAccess } from '../types.ts';

const count = { table: 't', filters: [], match: 'all' as const };
const changes: ChangeSet = {
  table: 't',
  changes: [
    { kind: 'insert', id: '1', values: { a: 1 } },
    { kind: 'delete', id: '2', key: { id: 2 } },
  ],
};

/** Operations that a client may start, by their name in the log. `write`: the operation needs the effect `write`. */
const ways: Record<string, { write?: boolean; call: (core: Core, at: DataAccess) => Promise<unknown> }> = {
  tables: { call: (core, at) => core.data.tables(at) },
  describe: { call: (core, at) => core.data.describe(at, 't') },
  describeAll: { call: (core, at) => core.data.describeAll(at, { limit: 10 }) },
  browse: { call: (core, at) => core.data.browse(at, { ...count, sort: [], limit: 1, offset: 0 }) },
  count: { call: (core, at) => core.data.count(at, count) },
  readCells: { call: (core, at) => core.data.readCells(at, { table: 't', keys: [], columns: [] }) },
  partitions: { call: (core, at) => core.data.partitions(at, 't') },
  search: { call: (core, at) => core.data.search(at, { ...count, mode: 'keyword', text: 'x', limit: 1 }) },
  editorSchema: { call: (core, at) => core.data.editorSchema(at) },
  previewChanges: { call: (core, at) => core.data.previewChanges(at, changes) },
  applyChanges: { write: true, call: (core, at) => saved(core, at, changes) },
  export: { call: (core, at) => Array.fromAsync(core.data.exportRows(at, { ...count, sort: [] })) },
  classify: { call: (core, at) => core.data.classify(at, 'SELECT') },
  query: { call: (core, at) => core.data.runQuery(at, { text: 'SELECT', limit: 1 }) },
  connect: { call: (core, at) => core.sessions.open(at) },
};

test.each(Object.entries(ways))(
  '%s passes the gate, and adds one activity entry for a client and none for a person',
  async (action, way) => {
    const { core } = await testCore();
    const { id } = await core.connections.create(fixtureDraft);
    await way.call(core, accessTo(id));
    expect(core.activity.list({ limit: 10 })).toEqual([]);
    await way.call(core, accessTo(id, client()));
    const blocked = await core.connections.create({
      ...fixtureDraft,
      name: 'Blocked',
      externalClients: 'blocked',
    });
    await expect(way.call(core, accessTo(blocked.id, client()))).rejects.toMatchObject({ code: 'forbidden' });
    expect(core.sessions.status(blocked.id).state).toBe('disconnected');
    const readOnly = await core.connections.create({
      ...fixtureDraft,
      name: 'Read only',
      externalClients: 'readOnly',
    });
    const attempt = way.call(core, accessTo(readOnly.id, client()));
    if (way.write) await expect(attempt).rejects.toMatchObject({ code: 'read_only' });
    else await attempt;
    const outcomes = core.activity
      .list({ limit: 10 })
      .map((entry) => [entry.action, entry.connectionId, entry.outcome]);
    expect(outcomes.toReversed()).toEqual([
      [action, id, 'ok'],
      [action, blocked.id, 'denied'],
      [action, readOnly.id, way.write ? 'denied' : 'ok'],
    ]);
  },
);

test.each(['applyChanges', 'previewChanges', 'readCells', 'partitions', 'search', 'export', 'editorSchema'])(
  '%s is unsupported if the driver lacks the method',
  async (action) => {
    const { core, behave } = await testCore();
    const methods: Record<string, string> = { partitions: 'listPartitions', export: 'exportRows' };
    behave({ without: [methods[action] ?? action] });
    const { id } = await core.connections.create(fixtureDraft);
    await expect(ways[action]?.call(core, accessTo(id))).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/^The driver of this connection does not offer /),
    });
    expect(core.sessions.status(id).state).toBe('connected');
  },
);

test('a query returns the id of its history entry, and the entry names the caller', async () => {
  const { core, events } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const outcome = await core.data.runQuery(accessTo(id), { text: 'INSERT x', limit: 1 });
  expect(outcome).toEqual({
    effect: 'write',
    results: [{ kind: 'affected', rows: 3 }],
    messages: [{ level: 'info', text: 'ran for •••' }],
    historyId: expect.any(String),
    durationMs: expect.any(Number),
  });
  await expect(core.data.runQuery(accessTo(id, client()), { text: 'NONSENSE', limit: 1 })).rejects.toThrow();
  const base = {
    connectionId: id,
    durationMs: expect.any(Number),
    at: expect.any(String),
    id: expect.any(String),
    cutFrom: null,
  };
  expect(core.history.search({ limit: 10 })).toEqual([
    {
      ...base,
      caller: 'My token',
      tokenId: 'token-1',
      text: 'NONSENSE',
      effect: null,
      outcome: 'error',
      error: 'Not a statement: NONSENSE',
      rows: null,
    },
    {
      ...base,
      id: outcome.historyId,
      caller: 'person',
      tokenId: null,
      text: 'INSERT x',
      effect: 'write',
      outcome: 'ok',
      error: null,
      rows: 3,
    },
  ]);
  expect(core.activity.list({ limit: 10 })).toEqual([
    {
      id: 1,
      at: expect.any(String),
      action: 'query',
      tokenName: 'My token',
      clientName: 'Some client',
      connectionId: id,
      outcome: 'error',
      detail: 'Not a statement: NONSENSE',
      durationMs: expect.any(Number),
      rows: null,
      digest: createHash('sha256').update('NONSENSE').digest('hex'),
    },
  ]);
  expect(events.filter(({ type }) => type === 'historyChanged')).toHaveLength(2);
});

const readToken = client({ permission: 'readOnly' });
const fullToken = client({ permission: 'fullAccess' });
const bridge = client({ kind: 'bridge', permission: 'fullAccess' });

test.each<[string, Caller, Partial<typeof fixtureDraft>, string, string]>([
  ['a client with the permission to write can write', client(), {}, 'INSERT', 'ok'],
  ['a read-only token is refused by its permission', readToken, {}, 'INSERT', 'forbidden'],
  [
    'a client is refused by the level of a read-only connection',
    client(),
    { externalClients: 'readOnly' },
    'INSERT',
    'read_only',
  ],
  ['a client without full access cannot drop a table', client(), {}, 'DROP', 'forbidden'],
  ['the bridge cannot drop a table', bridge, {}, 'DROP', 'forbidden'],
  ['a client with full access needs a confirmation to drop a table', fullToken, {}, 'DROP', 'above_ceiling'],
  ['a person needs a raised ceiling to drop a table', { kind: 'person' }, {}, 'DROP', 'above_ceiling'],
  ['safe mode applies to a person', { kind: 'person' }, { safeMode: 'readOnly' }, 'INSERT', 'read_only'],
  ['safe mode does not apply to clients', client(), { safeMode: 'readOnly' }, 'INSERT', 'ok'],
])('%s', async (_, caller, levels, text, expected) => {
  const { core } = await testCore();
  const { id } = await core.connections.create({ ...fixtureDraft, ...levels });
  const outcome = await core.data.runQuery(accessTo(id, caller), { text, limit: 1 }).then(
    () => 'ok',
    (error) => error.code,
  );
  expect(outcome).toBe(expected);
});

test('a client cannot raise its ceiling by a request, and a person can raise and lower their own', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const run = (caller: Caller, text: string, ceiling: 'read' | 'destroy') =>
    core.data.runQuery(accessTo(id, caller), { text, limit: 1, ceiling });
  await expect(run(fullToken, 'DROP t', 'destroy')).rejects.toMatchObject({
    code: 'above_ceiling',
    needs: 'destroy',
  });
  await expect(run({ kind: 'person' }, 'INSERT', 'read')).rejects.toMatchObject({
    code: 'above_ceiling',
    needs: 'write',
  });
  expect(await run({ kind: 'person' }, 'DROP t', 'destroy')).toMatchObject({ effect: 'destroy' });
});

test('a statement that writes announces a changed schema, and a save announces changed rows', async () => {
  const { core, events } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const told = () =>
    events.splice(0).filter(({ type }) => type === 'schemaChanged' || type === 'rowsChanged');
  await core.data.runQuery(accessTo(id), { text: 'SELECT', limit: 1 });
  expect(told()).toEqual([]);
  await core.data.runQuery(accessTo(id), { text: 'INSERT', limit: 1 });
  expect(told()).toEqual([{ type: 'schemaChanged', connectionId: id }]);
  expect(await saved(core, accessTo(id), changes)).toEqual([
    { id: '1', status: 'applied' },
    { id: '2', status: 'failed', error: { code: 'conflict', message: 'refused by •••' } },
  ]);
  expect(told()).toEqual([{ type: 'rowsChanged', connectionId: id, table: 't' }]);
});

test.each(['applyChanges', 'importRows'] as const)(
  'a driver that gives no outcome for a change that it sent fails %s, and the change is unknown',
  async (method) => {
    const { core, behave } = await testCore();
    const { id } = await core.connections.create(fixtureDraft);
    behave({ silent: ['1'] });
    const inserts = ['1', '2'].map((one) => ({ kind: 'insert' as const, id: one, values: { a: 1 } }));
    const outcomes: unknown[] = [];
    await expect(async () => {
      for await (const report of core.data[method](accessTo(id), { table: 't', changes: inserts }))
        outcomes.push(...report.outcomes.map((one) => [one.id, one.status]));
    }).rejects.toThrow('1 of 2 changes have no outcome');
    expect(outcomes).toEqual([
      ['2', 'applied'],
      ['1', 'unknown'],
    ]);
  },
);

test('a timeout ends the call but does not close the connection', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  behave({ hang: ['run', 'exportRows'] });
  core.settings.update({ statementTimeoutSeconds: 1 });
  await expect(core.data.runQuery(accessTo(id), { text: 'SELECT', limit: 1 })).rejects.toMatchObject({
    code: 'timeout',
  });
  await expect(
    core.data.runQuery({ ...accessTo(id), timeoutMs: 20 }, { text: 'SELECT', limit: 1 }),
  ).rejects.toMatchObject({ code: 'timeout' });
  expect(core.sessions.status(id).state).toBe('connected');
  expect(core.history.search({ limit: 1 })[0]).toMatchObject({ outcome: 'error' });
});

test('the error of an unanswered statement that may write says to check whether it was carried out', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const run = (ceiling: Effect, timeoutMs: number) =>
    core.data
      .runQuery({ ...accessTo(id), timeoutMs }, { text: 'INSERT', limit: 1, ceiling })
      .catch((error: AppError) => [error.code, error.hint]);
  const doubt = 'If the statement writes, check whether it was carried out before you run it again.';
  behave({ hang: ['run'] });
  expect(await run('write', 20)).toEqual(['timeout', `Narrow the request, or allow it more time. ${doubt}`]);
  expect(await run('read', 20)).toEqual(['timeout', 'Narrow the request, or allow it more time.']);
  behave({ exit: ['run'] });
  expect(await run('write', 60_000)).toEqual(['driver_crashed', expect.stringContaining(doubt)]);
  behave({ hang: ['run'] });
  for (const [ceiling, hint] of [
    ['write', `Open the connection again. ${doubt}`],
    ['read', 'Open the connection again.'],
  ] as const) {
    await core.sessions.open(accessTo(id));
    const running = run(ceiling, 60_000);
    // Calls are sent in order: once `browse` is answered, the statement has been sent.
    await core.data.browse(accessTo(id), {
      table: 't',
      filters: [],
      match: 'all',
      sort: [],
      limit: 1,
      offset: 0,
    });
    await core.sessions.close(id);
    expect(await running).toEqual(['connection_failed', hint]);
  }
});

test('a cancelled call fails with the code cancelled, and is logged as cancelled', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ hang: ['run'] });
  const stop = new AbortController();
  const running = core.data.runQuery(accessTo(id, client(), stop.signal), { text: 'SELECT', limit: 1 });
  stop.abort();
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  await expect(
    core.data.runQuery(accessTo(id, client(), stop.signal), { text: 'SELECT', limit: 1 }),
  ).rejects.toMatchObject({ code: 'cancelled' });
  expect(core.activity.list({ limit: 9 }).map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled']);
  expect(core.history.search({ limit: 9 }).map(({ outcome }) => outcome)).toEqual(['cancelled']);
});

test.each([
  ['revoke', 'The token was revoked'],
  ['remove', 'The token was deleted'],
] as const)('tokens.%s ends the running calls of the token: %s', async (act, message) => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ hang: ['run'] });
  const { token } = core.tokens.create({
    name: 'Mine',
    permission: 'readWrite',
    allowlist: null,
    expiresAt: null,
  });
  const running = core.data.runQuery(accessTo(id, client({ id: token.id })), { text: 'SELECT', limit: 1 });
  core.tokens[act](token.id);
  await expect(running).rejects.toMatchObject({ code: 'cancelled', message });
});

test('an export whose consumer stops early ends and is logged', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const batches: RowSet[] = [];
  for await (const batch of core.data.exportRows(accessTo(id, client()), { ...count, sort: [] })) {
    batches.push(batch);
    if (batches.length === 2) break;
  }
  expect(core.activity.list({ limit: 9 })).toMatchObject([
    { action: 'export', outcome: 'ok', rows: 4, detail: 't' },
  ]);
});

test('closing the core ends running calls, and later calls fail', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const { pid } = await core.sessions.open(accessTo(id));
  behave({ hang: ['run'] });
  const running = core.data.runQuery(accessTo(id), { text: 'SELECT', limit: 1 });
  const refused = expect(running).rejects.toMatchObject({
    code: 'cancelled',
    message: 'The app is stopping',
  });
  await core.close();
  await refused;
  expect(() => process.kill(pid!, 0)).toThrow('ESRCH');
  await expect(core.data.tables(accessTo(id))).rejects.toMatchObject({ code: 'cancelled' });
  expect((await statusWhere(core, id, () => true)).state).toBe('disconnected');
});
