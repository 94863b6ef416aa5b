import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createCore } from '../core.ts';
import { newConnectionDraft } from '../index.ts';
import { driverEntries, packageOf } from '../plugins/testing/driver-package.ts';
import { fixtureManifest } from '../testing/fixture-driver.ts';
import {
  accessTo,
  bytesOf,
  client,
  fixtureDraft,
  hostEntry,
  statusWhere,
  temporaryFolder,
  testCore,
} from '../testing/test-core.ts';
import type { ConnectionDraft, Core } from '../types.ts';

const withFields = (fields: ConnectionDraft['fields']): ConnectionDraft => ({
  ...fixtureDraft,
  fields: { ...fixtureDraft.fields, ...fields },
});

/** The fields that the driver's process got. */
async function given(core: Core, id: string): Promise<unknown> {
  const [table] = await core.data.tables(accessTo(id));
  return JSON.parse(table?.comment ?? '');
}

test('a connection is created, listed, updated, reordered and removed', async () => {
  const { core, events } = await testCore();
  const one = await core.connections.create(fixtureDraft);
  expect(one).toEqual({
    ...fixtureDraft,
    fields: { host: 'db.example', auth: 'apiKey', port: 8080, compress: true },
    word: null,
    masking: { columns: [], patterns: [] },
    reachLimit: 100,
    storedSecrets: ['apiKey'],
    sample: false,
    id: expect.any(String),
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const two = await core.connections.create({ ...fixtureDraft, name: ' Two ' }, { sample: true });
  const three = await core.connections.create({ ...fixtureDraft, name: 'Three' });
  const names = () => core.connections.list().map(({ name }) => name);
  expect(names()).toEqual(['Fixture', 'Two', 'Three']);
  core.connections.reorder([three.id, one.id]);
  expect(names()).toEqual(['Three', 'Fixture', 'Two']);
  const renamed = await core.connections.update(two.id, { ...fixtureDraft, name: 'Second', color: 'red' });
  expect(core.connections.get(two.id)).toEqual(renamed);
  expect(renamed).toMatchObject({ name: 'Second', color: 'red', sample: true, createdAt: two.createdAt });
  await core.connections.remove(one.id);
  expect(names()).toEqual(['Three', 'Second']);
  expect(events.filter(({ type }) => type === 'connectionsChanged')).toHaveLength(6);
  await expect(core.connections.remove(one.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('create, update and import refuse a folder that contains the data directory', async () => {
  const { core, home } = await testCore();
  const fields = [{ id: 'folder', label: 'Folder', type: 'folder' as const }];
  const { signal } = new AbortController();
  await core.drivers.installFromFile(packageOf(driverEntries({ fields })), { signal });
  const draftOf = (folder: string) => ({ ...fixtureDraft, driver: 'plugin', fields: { folder } });
  const { id } = await core.connections.create(draftOf(temporaryFolder()));
  const reason = `Folder: ${dirname(home)} cannot be read: it contains ${home}, the data directory of Trestle`;
  const unsafe = draftOf(dirname(home));
  await expect(core.connections.create(unsafe)).rejects.toThrow(reason);
  await expect(core.connections.update(id, unsafe)).rejects.toThrow(reason);
  await expect(
    core.connections.importAll([{ ...unsafe, name: 'Other' }], { replace: false, dryRun: false }),
  ).rejects.toThrow(`"Other": ${reason}`);
  expect(core.connections.list().map(({ fields }) => fields.folder)).not.toContain(dirname(home));
});

test('the reach limit is kept by an update that does not name it', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create({ ...fixtureDraft, reachLimit: 7 });
  expect(await core.connections.update(id, fixtureDraft)).toMatchObject({ reachLimit: 7 });
  expect(await core.connections.update(id, { ...fixtureDraft, reachLimit: 0 })).toMatchObject({
    reachLimit: 0,
  });
});

test.each([
  ['Reach Limit must be a whole number between 0 and 1000000', { ...fixtureDraft, reachLimit: -1 }],
  ['Reach Limit must be a whole number between 0 and 1000000', { ...fixtureDraft, reachLimit: 1.5 }],
  ['Give the connection a name', { ...fixtureDraft, name: ' ' }],
  ['Fixture connections have no field hots', withFields({ hots: 'x' })],
  ['Host must be text', withFields({ host: 5 })],
  ['Host is required', withFields({ host: '' })],
  ['Host is required', withFields({ host: null })],
  ['Port must be a whole number', withFields({ port: '80' })],
  ['Port must be a whole number', withFields({ port: 80.5 })],
  ['Port must be between 1 and 65535', withFields({ port: 0 })],
  ['Port must be between 1 and 65535', withFields({ port: 65536 })],
  ['Authentication must be one of none, apiKey', withFields({ auth: 'oauth' })],
  ['Compress must be true or false', withFields({ compress: 'yes' })],
  ['API Key is required', withFields({ apiKey: '' })],
  ['API Key is required', { ...fixtureDraft, fields: { host: 'h', auth: 'apiKey' } }],
  ['API Key must be text', withFields({ apiKey: 5 })],
  ['Provider Keys must be a list of names and values', withFields({ headers: 'X-Key: 1' })],
  [
    "Provider Keys: a header name has only letters, digits and !#$%&'*+-.^_`|~, such as X-Api-Key",
    withFields({ headers: [{ name: 'X Key', value: 'v' }] }),
  ],
  ['Provider Keys: X-Key has no value', withFields({ headers: [{ name: 'X-Key', value: '' }] })],
  ['CA File must be text', withFields({ caFile: true })],
  [
    'External Clients must be one of blocked, readOnly, readWrite',
    { ...fixtureDraft, externalClients: 'all' as 'blocked' },
  ],
  ['AI Policy must be one of alwaysAllow, askEachTime, never', { ...fixtureDraft, aiPolicy: '' as 'never' }],
])('a draft is refused with the message "%s"', async (message, draft) => {
  const { core } = await testCore();
  await expect(core.connections.create(draft)).rejects.toMatchObject({ code: 'invalid_argument', message });
  expect(core.connections.list()).toEqual([]);
});

test('the refusal of a draft names the driver that is not installed', async () => {
  const { core } = await testCore();
  await expect(core.connections.create({ ...fixtureDraft, driver: 'oracle' })).rejects.toMatchObject({
    code: 'driver_missing',
    message: 'The driver oracle is not installed',
  });
});

test('secrets reach the driver, and no file, log, error or event', async () => {
  const { core, home, logged, events } = await testCore();
  const headers = [{ name: 'X-Provider', value: 'provider-secret' }];
  const { id } = await core.connections.create(withFields({ headers }));
  expect(await given(core, id)).toMatchObject({ apiKey: 'hunter2-secret', headers });
  await expect(
    core.data.runQuery(accessTo(id), { text: 'NONSENSE hunter2-secret', limit: 1 }),
  ).rejects.toMatchObject({
    message: 'Not a statement: NONSENSE •••',
  });
  core.history.clear();
  for (const place of [
    bytesOf(home),
    logged.join(),
    JSON.stringify(events),
    JSON.stringify(core.connections.list()),
  ]) {
    expect(place).not.toMatch(/provider-secret/);
  }
  expect([logged.join(), JSON.stringify(core.connections.list())].join()).not.toMatch(/hunter2-secret/);
  expect(logged.join()).toMatch(/connecting with •••/);
});

test('an update keeps a secret that it leaves out, replaces a given one and removes an empty one', async () => {
  const { core, home } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const { apiKey: _, ...rest } = fixtureDraft.fields;
  await core.connections.update(id, { ...fixtureDraft, fields: { ...rest, port: 9 } });
  expect(await given(core, id)).toMatchObject({ apiKey: 'hunter2-secret', port: 9 });
  await core.connections.update(id, withFields({ apiKey: 'another-secret' }));
  expect(await given(core, id)).toMatchObject({ apiKey: 'another-secret' });
  const after = await core.connections.update(id, { ...fixtureDraft, fields: { host: 'h', apiKey: '' } });
  expect(after.storedSecrets).toEqual([]);
  expect(await given(core, id)).not.toHaveProperty('apiKey');
  expect(bytesOf(home)).not.toMatch(`${id}/apiKey`);
});

test('a secret whose field is hidden is kept, and not handed to the driver', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(withFields({ auth: 'none' }));
  expect(await given(core, id)).not.toHaveProperty('apiKey');
  expect(core.connections.get(id)?.storedSecrets).toEqual(['apiKey']);
});

test('removing a connection removes its secrets, its session and its history', async () => {
  const { core, home } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  await core.data.runQuery(accessTo(id), { text: 'SELECT', limit: 1 });
  await core.connections.remove(id);
  expect(core.sessions.statuses()).toEqual([]);
  expect(core.history.search({ limit: 10 })).toEqual([]);
  expect(bytesOf(home)).not.toMatch(`${id}/apiKey`);
  await expect(core.data.tables(accessTo(id))).rejects.toMatchObject({ code: 'not_found' });
});

test('changing the driver’s fields closes the session; changing a level does not', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  const { apiKey: _, ...fields } = fixtureDraft.fields;
  await core.connections.update(id, { ...fixtureDraft, fields, aiPolicy: 'never', name: 'Other' });
  expect(core.sessions.status(id).state).toBe('connected');
  await core.connections.update(id, { ...fixtureDraft, fields: { ...fields, host: 'elsewhere' } });
  expect(core.sessions.status(id).state).toBe('disconnected');
  await core.sessions.open(accessTo(id));
  await core.connections.update(id, withFields({ apiKey: 'new-secret' }));
  expect((await statusWhere(core, id, () => true)).state).toBe('disconnected');
});

test('a driver gets the text of a file; if the file cannot be read, the error names it', async () => {
  const { core } = await testCore();
  const caFile = join(temporaryFolder(), 'ca.pem');
  writeFileSync(caFile, 'CERTIFICATE');
  const { id } = await core.connections.create(withFields({ caFile }));
  expect(await given(core, id)).toMatchObject({ caFile: 'CERTIFICATE' });
  await core.sessions.close(id);
  rmSync(caFile);
  const refusal = {
    code: 'invalid_argument',
    message: `CA File: ${caFile} cannot be read: there is no such file`,
  };
  await expect(core.data.tables(accessTo(id))).rejects.toMatchObject(refusal);
  const other = { ...withFields({ caFile }), name: 'Other' };
  await expect(core.connections.create(other)).rejects.toMatchObject(refusal);
});

test('create and update refuse the name of another connection', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const refusal = { code: 'conflict', message: 'A connection named "Fixture" already exists' };
  await expect(core.connections.create({ ...fixtureDraft, name: ' Fixture ' })).rejects.toMatchObject(
    refusal,
  );
  const other = await core.connections.create({ ...fixtureDraft, name: 'Other' });
  await expect(core.connections.update(other.id, fixtureDraft)).rejects.toMatchObject(refusal);
  expect(await core.connections.update(id, { ...fixtureDraft, color: 'red' })).toMatchObject({
    color: 'red',
  });
});

test('a connection test connects, stores nothing, and uses the stored secrets that the draft leaves out', async () => {
  const { core, behave } = await testCore();
  const signal = new AbortController().signal;
  const { id } = await core.connections.create(fixtureDraft);
  expect(await core.connections.test({ ...fixtureDraft, name: '' }, { signal })).toEqual({
    ok: true,
    stages: [],
    server: { product: 'Fixture', version: '1' },
  });
  const { apiKey: _, ...fields } = fixtureDraft.fields;
  expect(await core.connections.test({ ...fixtureDraft, fields }, { signal })).toEqual({
    ok: false,
    stages: [],
    error: { code: 'invalid_argument', message: 'API Key is required' },
  });
  behave({ health: { warning: 'The key hunter2-secret is about to expire' } });
  expect(await core.connections.test({ ...fixtureDraft, fields }, { id, signal })).toMatchObject({
    ok: true,
    warning: 'The key ••• is about to expire',
  });
  behave({
    fail: { connect: { code: 'authentication_failed', message: 'Authentication failed: hunter2-secret' } },
  });
  expect(await core.connections.test({ ...fixtureDraft, fields }, { id, signal })).toEqual({
    ok: false,
    stages: [],
    error: { code: 'authentication_failed', message: 'Authentication failed: •••' },
  });
  expect(core.sessions.status(id).state).toBe('disconnected');
  behave({ hang: ['connect'] });
  const stop = new AbortController();
  const testing = core.connections.test(fixtureDraft, { signal: stop.signal });
  stop.abort();
  expect(await testing).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  expect(core.connections.list().map((one) => one.id)).toEqual([id]);
});

test('a new draft has the default fields and levels', () => {
  expect(newConnectionDraft(fixtureManifest)).toEqual({
    name: '',
    driver: 'fixture',
    fields: { port: 8080, auth: 'none', compress: true },
    externalClients: 'readOnly',
    aiPolicy: 'askEachTime',
    safeMode: 'off',
    color: null,
    masking: { columns: [], patterns: [] },
  });
});

test('a client sees a connection only if its levels and the allowlist of the client permit it', async () => {
  const { core } = await testCore();
  const open = await core.connections.create(fixtureDraft);
  const named = (name: string, changes: Partial<ConnectionDraft>) =>
    core.connections.create({ ...fixtureDraft, name, ...changes });
  const blocked = await named('Blocked', { externalClients: 'blocked' });
  const never = await named('Never', { aiPolicy: 'never' });
  const asking = await named('Asking', { aiPolicy: 'askEachTime' });
  const seen = (allowlist: string[] | null) =>
    core.connections.visibleTo(client({ allowlist })).map(({ id }) => id);
  expect(seen(null)).toEqual([open.id, asking.id]);
  expect(seen([asking.id, blocked.id, never.id])).toEqual([asking.id]);
  expect(core.connections.visibleTo({ kind: 'person' })).toHaveLength(4);
});

test('connections and their secrets survive a restart', async () => {
  const { core, home, driver } = await testCore();
  const saved = await core.connections.create(fixtureDraft);
  await core.close();
  const again = await createCore({
    home,
    hostEntry,
    bundledDrivers: [driver.directory],
    secretStore: 'file',
  });
  expect(again.connections.list()).toEqual([saved]);
  expect(await given(again, saved.id)).toMatchObject({ apiKey: 'hunter2-secret' });
  await again.close();
});

test('a connection may have a word of at most 10 characters, and an update that leaves it out keeps it', async () => {
  const { core } = await testCore();
  const { id, word } = await core.connections.create({ ...fixtureDraft, name: 'Live', word: ' PROD ' });
  expect(word).toBe('PROD');
  expect((await core.connections.update(id, { ...fixtureDraft, name: 'Live' })).word).toBe('PROD');
  expect((await core.connections.update(id, { ...fixtureDraft, name: 'Live', word: null })).word).toBeNull();
  const rare = '𐐀'.repeat(10);
  expect((await core.connections.update(id, { ...fixtureDraft, name: 'Live', word: rare })).word).toBe(rare);
  for (const wrong of ['two words', 'much-too-long-a-word', '<b>']) {
    await expect(
      core.connections.create({ ...fixtureDraft, name: wrong, word: wrong }),
    ).rejects.toMatchObject({
      message: 'Word must be one word of at most 10 letters, digits, _, . or -, such as PROD',
    });
  }
});

test.each([
  ['a zero-width space', '\u200b'],
  ['a word joiner', '\u2060'],
  ['a turn of the direction', '\u202e'],
  ['an isolate', '\u2066'],
  ['a soft hyphen', '\u00ad'],
  ['a control character', '\u0007'],
  ['a line break', '\n'],
  ['a blank letter', '\u3164'],
  ['a variation selector', '\ufe0f'],
  ['a line separator', '\u2028'],
  ['a blank that does not break', '\u00a0'],
  ['a blank of Braille', '\u2800'],
  ['a tag', '\u{e0041}'],
  ['half a character', '\ud800'],
  ['a private character', '\ue000'],
])('no door gives a connection a name with %s', async (_, unseen) => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const refusal = {
    code: 'invalid_argument',
    message: expect.stringContaining('The name of the connection has characters that cannot be seen'),
  };
  const named = { ...fixtureDraft, name: `Fix${unseen}ture` };
  await expect(core.connections.create(named)).rejects.toMatchObject(refusal);
  await expect(core.connections.update(id, named)).rejects.toMatchObject(refusal);
  for (const replace of [true, false])
    await expect(core.connections.importAll([named], { replace, dryRun: false })).rejects.toMatchObject(
      refusal,
    );
  expect(core.connections.list().map(({ name }) => name)).toEqual(['Fixture']);
});
