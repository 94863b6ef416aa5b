import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createCore } from './core.ts';
import { HistoryRows } from './history/history-rows.ts';
import { readManifest } from './plugins/read-manifest.ts';
import { openStorage } from './storage/storage.ts';
import { fixtureManifest, writeFixtureDriver } from './testing/fixture-driver.ts';
import { startKillableProgram } from './testing/killable-program.ts';
import { accessTo, client, fixtureDraft, hostEntry, temporaryFolder, testCore } from './testing/test-core.ts';
import type { Caller } from './types.ts';

test('settings have defaults, are checked and stored, and changes are announced', async () => {
  const { core, home, events } = await testCore();
  const defaults = {
    theme: 'system',
    density: 'normal',
    mcpEnabled: true,
    mcpPort: 23508,
    statementTimeoutSeconds: 30,
    pageSize: 200,
    mcpRequestsPerMinute: 1200,
    mcpConcurrentRequests: 16,
    mcpLockoutAttempts: 5,
    mcpLockoutWindowSeconds: 60,
    mcpLockoutSeconds: 300,
    mcpBodyMegabytes: 10,
    mcpSockets: 256,
    mcpReachPerHour: 10,
    mcpNewRowsPerHour: 100_000,
    historyEntries: 10_000,
    historyMegabytes: 100,
    activityMegabytes: 200,
    exportsMegabytes: 2_000,
    logsMegabytes: 20,
    mapsMegabytes: 200,
  };
  expect(core.settings.get()).toEqual(defaults);
  const settings = core.settings.update({ theme: 'dark', pageSize: undefined });
  expect(settings).toEqual({ ...defaults, theme: 'dark' });
  expect(events).toEqual([{ type: 'settingsChanged', settings }]);
  for (const patch of [
    { statementTimeoutSeconds: 301 },
    { mcpRequestsPerMinute: 0 },
    { mcpConcurrentRequests: 1.5 },
    { mcpLockoutAttempts: 0 },
    { mcpLockoutWindowSeconds: -1 },
    { mcpLockoutSeconds: 86_401 },
    { mcpBodyMegabytes: 101 },
    { mcpSockets: Number.POSITIVE_INFINITY },
  ]) {
    expect(() => core.settings.update(patch)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  }
  await core.close();
  const again = await createCore({ home, hostEntry, bundledDrivers: [], secretStore: 'file' });
  expect(again.settings.get()).toEqual(settings);
  await again.close();
});

test('history keeps the newest entries of each connection', () => {
  const storage = openStorage(temporaryFolder());
  const insert = (id: string) =>
    storage.run(
      `INSERT INTO connections (id, position, name, driver, fields, stored_secrets, external_clients, ai_policy,
         safe_mode, sample, created_at, updated_at) VALUES (?, 1, '', '', '{}', '[]', '', '', '', 0, '', '')`,
      id,
    );
  insert('one');
  insert('two');
  const entry = {
    caller: 'person',
    tokenId: null,
    effect: null,
    outcome: 'ok' as const,
    error: null,
    rows: null,
    durationMs: 1,
    at: '2026-01-01T00:00:00.000Z',
    cutFrom: null,
  };
  const history = new HistoryRows(storage, () => ({ entries: 5, bytes: 1024 ** 2 }));
  history.insert({ ...entry, connectionId: 'two', text: 'two' });
  for (let n = 1; n <= 8; n++) history.insert({ ...entry, connectionId: 'one', text: `one ${n}` });
  const texts = (id: string) => history.search({ connectionIds: [id], limit: 99 }).map(({ text }) => text);
  expect(texts('one')).toEqual(['one 8', 'one 7', 'one 6', 'one 5', 'one 4']);
  expect(texts('two')).toEqual(['two']);
  storage.close();
});

test('a client finds the history of the connections that it may see, with ••• for masked values', async () => {
  const { core } = await testCore();
  const masking = { columns: [], patterns: ['email' as const] };
  const open = await core.connections.create({ ...fixtureDraft, masking });
  const blocked = await core.connections.create({
    ...fixtureDraft,
    name: 'Blocked',
    externalClients: 'blocked',
  });
  for (const { id } of [open, blocked])
    await core.data.runQuery(accessTo(id), { text: 'SELECT ada@lovelace.example now', limit: 1 });
  const found = (caller: Caller, connectionIds?: string[]) =>
    core.history
      .searchAs(caller, { limit: 9, ...(connectionIds && { connectionIds }) })
      .map(({ connectionId, text }) => [connectionId, text]);
  expect(found(client())).toEqual([[open.id, 'SELECT ••• now']]);
  expect(found(client(), [blocked.id])).toEqual([]);
  expect(found(client(), [])).toEqual([]);
  expect(found({ kind: 'person' })).toHaveLength(2);
  const probe = core.history.searchAs(client(), { text: 'ada@love', limit: 9 });
  expect(probe).toEqual([]);
});

test('neither the results nor their number reveal whether a hidden value is in the history', async () => {
  const { core } = await testCore();
  const masking = { columns: ['email'], patterns: ['email' as const] };
  const { id } = await core.connections.create({ ...fixtureDraft, masking });
  for (let n = 0; n < 5; n++) {
    await core.data.runQuery(accessTo(id), { text: `SELECT name WHERE email = 'ada${n}'`, limit: 1 });
  }
  await core.data.runQuery(accessTo(id), { text: 'SELECT planet', limit: 1 });
  const texts = (text: string, limit: number) =>
    core.history.searchAs(client(), { text, limit }).map((entry) => entry.text);
  // Five stored statements contain 'ada, and none contains 'eve. The client must not notice the difference.
  expect([texts("'ada", 2), texts("'eve", 2)]).toEqual([[], []]);
  expect(texts('a', 2)).toEqual(['SELECT planet', 'SELECT name WHERE email = •••']);
  expect(texts('planet', 1)).toEqual(['SELECT planet']);
  expect(texts('select', 4)).toHaveLength(4);
});

test('if columns are masked, a client does not see the values in statements of other callers', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const text = `SELECT t1.email WHERE email = 'it''s' OR x = "y" OR n > 12.5 OR n < ..5`;
  await core.data.runQuery(accessTo(id), { text, limit: 1 });
  await core.data.runQuery(accessTo(id, client()), { text, limit: 1 });
  await core.connections.update(id, { ...fixtureDraft, masking: { columns: ['email'], patterns: [] } });
  expect(core.history.searchAs(client(), { limit: 9 }).map((entry) => entry.text)).toEqual([
    text,
    'SELECT t1.email WHERE email = ••• OR x = ••• OR n > ••• OR n < •••',
  ]);
});

test('if columns are masked, a client sees values only in its own statements, even if its token is named person', async () => {
  const { core } = await testCore();
  const masking = { columns: ['email'], patterns: [] };
  const { id } = await core.connections.create(fixtureDraft);
  await core.data.runQuery(accessTo(id), { text: "SELECT 'of the user'", limit: 1 });
  await core.data.runQuery(accessTo(id, client({ id: 'one' })), { text: "SELECT 'of one'", limit: 1 });
  await core.connections.update(id, { ...fixtureDraft, masking });
  const texts = (token: Parameters<typeof client>[0]) =>
    core.history.searchAs(client(token), { limit: 9 }).map((entry) => entry.text);
  expect(texts({ id: 'one' })).toEqual(["SELECT 'of one'", 'SELECT •••']);
  expect(texts({ id: 'two' })).toEqual(['SELECT •••', 'SELECT •••']);
  expect(texts({ id: 'three', name: 'person' })).toEqual(['SELECT •••', 'SELECT •••']);
});

test('a history entry without a token id, from an earlier version, is masked for every client', async () => {
  const { core, home } = await testCore();
  const masking = { columns: ['email'], patterns: [] };
  const { id } = await core.connections.create(fixtureDraft);
  await core.data.runQuery(accessTo(id, client()), { text: "SELECT 'own'", limit: 1 });
  await core.connections.update(id, { ...fixtureDraft, masking });
  expect(core.history.searchAs(client(), { limit: 9 })).toMatchObject([{ text: "SELECT 'own'" }]);
  const database = new DatabaseSync(join(home, 'trestle.db'));
  database.exec('UPDATE history SET token_id = NULL');
  database.close();
  expect(core.history.searchAs(client(), { limit: 9 })).toMatchObject([{ text: 'SELECT •••' }]);
});

test('stored UI state can be read, and null deletes it', async () => {
  const { core } = await testCore();
  core.uiState.set('tabs', [{ table: 'é' }]);
  expect(core.uiState.get('tabs')).toEqual([{ table: 'é' }]);
  core.uiState.set('tabs', null);
  expect(core.uiState.get('tabs')).toBeUndefined();
});

test('history can be searched by words, connection and page, and its entries can be removed', async () => {
  const { core } = await testCore();
  const one = await core.connections.create(fixtureDraft);
  const two = await core.connections.create({ ...fixtureDraft, name: 'Two' });
  for (const [{ id }, text] of [
    [one, 'SELECT 100% of_it'],
    [two, 'SELECT Other'],
    [one, 'SELECT 1000 often'],
  ] as const) {
    await core.data.runQuery(accessTo(id), { text, limit: 1 });
  }
  const texts = (query: Partial<Parameters<typeof core.history.search>[0]>) =>
    core.history.search({ limit: 10, ...query }).map(({ text }) => text);
  expect(texts({})).toEqual(['SELECT 1000 often', 'SELECT Other', 'SELECT 100% of_it']);
  expect(texts({ text: '100%' })).toEqual(['SELECT 100% of_it']);
  expect(texts({ text: 'of_' })).toEqual(['SELECT 100% of_it']);
  expect(texts({ text: 'OTHER' })).toEqual(['SELECT Other']);
  expect(texts({ connectionIds: [two.id] })).toEqual(['SELECT Other']);
  expect(texts({ connectionIds: [] })).toEqual([]);
  const [newest] = core.history.search({ limit: 1 });
  expect(texts({ before: newest?.id })).toEqual(['SELECT Other', 'SELECT 100% of_it']);
  core.history.remove(newest?.id ?? '');
  core.history.clear(two.id);
  expect(texts({})).toEqual(['SELECT 100% of_it']);
});

test.each([
  ['driver kit 2, and this app has 1', { kit: 2, somethingNew: true }],
  ['its manifest is not valid', { fields: 5 }],
  ['its file other.js is missing, or is not a regular file', { entry: 'other.js' }],
])('a driver is not loaded, for the reason "%s"', (words, changes) => {
  const { directory } = writeFixtureDriver(temporaryFolder());
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ ...fixtureManifest, ...changes }));
  expect(() => readManifest(directory)).toThrow(words);
});

test('a driver that cannot be loaded does not affect the others', async () => {
  const folder = temporaryFolder();
  const good = writeFixtureDriver(join(folder, 'good')).directory;
  const core = await createCore({
    home: join(folder, 'home'),
    hostEntry,
    bundledDrivers: [join(folder, 'nothing'), good, good],
    secretStore: 'file',
  });
  expect(core.drivers.list()).toEqual([fixtureManifest]);
  await core.close();
});

test('an operation succeeds even if a listener of its event throws', async () => {
  const { core, events } = await testCore();
  core.events.on(() => {
    throw new Error('broken');
  });
  core.settings.update({ theme: 'light' });
  expect(events).toHaveLength(1);
});

test('after a kill during a write, every confirmed row is still stored', async () => {
  const home = join(temporaryFolder(), 'home');
  const { directory } = writeFixtureDriver(join(temporaryFolder(), 'fixture'));
  const program = `
    import { createCore } from ${JSON.stringify(join(import.meta.dirname, 'core.ts'))};
    const core = await createCore(${JSON.stringify({ home, hostEntry, bundledDrivers: [directory], secretStore: 'file' })});
    for (let n = 0; ; n++) {
      const { id } = await core.connections.create({ ...${JSON.stringify(fixtureDraft)}, name: 'Number ' + n + ' of ' + process.pid });
      const { token } = core.tokens.create({ name: 'Number ' + n, permission: 'readOnly', allowlist: null, expiresAt: null });
      process.stdout.write(id + ' ' + token.id + '\\n');
    }`;
  for (let round = 0; round < 3; round++) {
    const child = startKillableProgram(program);
    const confirmed: string[] = [];
    const lines = createInterface(child.stdout);
    lines.on('line', (line) => {
      confirmed.push(line);
      if (confirmed.length === 20 + round * 7) child.kill('SIGKILL');
    });
    await once(lines, 'close');
    const core = await createCore({ home, hostEntry, bundledDrivers: [directory], secretStore: 'file' });
    const [connections, tokens] = [core.connections.list(), core.tokens.list()].map(
      (all) => new Set(all.map(({ id }) => id)),
    );
    for (const line of confirmed) {
      const [connection, token] = line.split(' ');
      expect([connections?.has(connection ?? ''), tokens?.has(token ?? '')]).toEqual([true, true]);
    }
    const last = confirmed.at(-1)?.split(' ')[0] ?? '';
    const [given] = await core.data.tables(accessTo(last));
    expect(given?.comment).toMatch('hunter2-secret');
    await core.close();
  }
});

test('if the message about a damaged entry cannot be stored, the entry is not set aside', async () => {
  const home = temporaryFolder();
  const storage = openStorage(home);
  storage.run("INSERT INTO settings VALUES ('theme', '{')");
  storage.run(
    "CREATE TRIGGER full BEFORE INSERT ON ui_state WHEN new.key = 'damage' BEGIN SELECT RAISE(ABORT, 'full'); END",
  );
  await expect(testCore({ home })).rejects.toThrow('could not be used: full');
  storage.run('DROP TRIGGER full');
  storage.close();
  const { core } = await testCore({ home });
  expect(core.damage.unread()).toContain('setting theme');
});
