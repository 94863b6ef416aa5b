import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { fixtureManifest } from '../testing/fixture-driver.ts';
import { accessTo, bytesOf, fixtureDraft, testCore } from '../testing/test-core.ts';
import type { ConnectionDraft, Core } from '../types.ts';
import { planImport } from './plan-import.ts';

const replace = { replace: true, dryRun: false };
const draft = (name: string, more: Partial<ConnectionDraft> = {}): ConnectionDraft => ({
  ...fixtureDraft,
  name,
  ...more,
});
/** A connection as an export writes it: everything except the secrets. */
const exported = (
  name: string,
  fields: ConnectionDraft['fields'] = {},
  more: Partial<ConnectionDraft> = {},
) =>
  draft(name, {
    fields: { host: 'db.example', auth: 'apiKey', port: 8080, compress: true, ...fields },
    ...more,
  });

async function given(core: Core, id: string): Promise<{ host: string; apiKey?: string }> {
  const [table] = await core.data.tables(accessTo(id));
  return JSON.parse(table?.comment ?? '');
}

test('connections with and without secrets are imported, and reported as created with their fields and levels', async () => {
  const { core } = await testCore();
  const saved = await core.connections.importAll([exported('One'), draft('Two')], {
    replace: false,
    dryRun: false,
  });
  const created = {
    id: expect.any(String),
    outcome: 'created',
    changes: [
      ...['Host: db.example', 'Port: 8080', 'Authentication: apiKey', 'Compress: true'],
      ...['External Clients: readWrite', 'AI Policy: alwaysAllow'],
    ],
    raises: [],
    aboveDefault: ['External Clients: readOnly → readWrite', 'AI Policy: askEachTime → alwaysAllow'],
    droppedSecrets: [],
  };
  expect(saved).toEqual([
    { ...created, name: 'One' },
    { ...created, name: 'Two' },
  ]);
  expect(core.connections.list().map(({ storedSecrets }) => storedSecrets)).toEqual([[], ['apiKey']]);
});

test('an import that changes no field of a connection keeps its API key', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(draft('One'));
  const [summary] = await core.connections.importAll([exported('One', {}, { color: 'red' })], replace);
  expect(summary).toMatchObject({ outcome: 'replaced', changes: ['Color: none → red'], droppedSecrets: [] });
  expect(await given(core, id)).toMatchObject({ apiKey: 'hunter2-secret' });
  expect(await core.connections.importAll([exported('One', {}, { color: 'red' })], replace)).toMatchObject([
    { outcome: 'unchanged', changes: [] },
  ]);
});

test('an import keeps the API key if a field is missing in the stored connection and has its default in the import', async () => {
  const { core, home } = await testCore();
  const { id } = await core.connections.create(draft('One'));
  const { compress, ...fields } = core.connections.get(id)!.fields;
  expect(compress).toBe(true);
  const existing = [{ ...core.connections.get(id)!, fields }];
  const plan = (host: string) =>
    planImport([exported('One', { host })], {
      existing,
      replace: true,
      home,
      manifestOf: () => fixtureManifest,
    });
  expect(plan('db.example')).toMatchObject([{ after: { storedSecrets: ['apiKey'] } }]);
  expect(plan('evil.example')).toMatchObject([{ after: { storedSecrets: [] } }]);
});

test.each([
  ['another host', { host: 'evil.example' }, 'Host: db.example → evil.example'],
  ['another port', { port: 9999 }, 'Port: 8080 → 9999'],
  ['another file', { caFile: '/tmp/evil.pem' }, 'CA File: none → /tmp/evil.pem'],
  ['another way to authenticate', { auth: 'none' }, 'Authentication: apiKey → none'],
])('an import with %s drops the stored key, from the secret store too', async (_name, fields, change) => {
  const { core, home } = await testCore();
  const { id } = await core.connections.create(draft('One'));
  const [summary] = await core.connections.importAll([exported('One', fields)], replace);
  expect(summary).toMatchObject({ outcome: 'replaced', changes: [change], droppedSecrets: ['API Key'] });
  expect(core.connections.get(id)).toMatchObject({ storedSecrets: [] });
  expect(bytesOf(home).includes(`${id}/apiKey`)).toBe(false);
});

test('a key in the import goes to the host in the import', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(draft('One'));
  const fields = { host: 'new.example', auth: 'apiKey', apiKey: 'new-key' };
  expect(await core.connections.importAll([draft('One', { fields })], replace)).toMatchObject([
    { changes: ['Host: db.example → new.example', 'API Key: a new one'], droppedSecrets: [] },
  ]);
  expect(await given(core, id)).toMatchObject({ host: 'new.example', apiKey: 'new-key' });
});

test('an import without masking keeps the stored masking, and raised levels are reported', async () => {
  const { core } = await testCore();
  const masking = { columns: ['email'], patterns: ['card' as const] };
  const closed = { externalClients: 'blocked', aiPolicy: 'never', masking } as const;
  const { id } = await core.connections.create(draft('One', closed));
  const { masking: _left, ...file } = exported('One');
  const options = { replace: true, dryRun: true };
  const raises = ['External Clients: blocked → readWrite', 'AI Policy: never → alwaysAllow'];
  expect(await core.connections.importAll([file], options)).toMatchObject([{ raises }]);
  expect(core.connections.get(id)).toMatchObject(closed);
  const bare = exported('One', {}, { ...closed, masking: { columns: [], patterns: ['card'] } });
  expect(await core.connections.importAll([bare], options)).toMatchObject([
    { raises: ['Masking: no longer email'] },
  ]);
  await core.connections.importAll([file], replace);
  expect(core.connections.get(id)).toMatchObject({ masking });
});

test('an import that fails to save one connection changes no connection and no secret', async () => {
  const { core, home } = await testCore();
  const one = await core.connections.create(draft('One'));
  const two = await core.connections.create(draft('Two'));
  const before = core.connections.list();
  const database = new DatabaseSync(join(home, 'trestle.db'));
  database.exec(
    "CREATE TRIGGER full BEFORE UPDATE ON connections WHEN NEW.name = 'Two' BEGIN SELECT RAISE(ABORT, 'disk full'); END",
  );
  database.close();
  const fields = { host: 'db.example', auth: 'apiKey', apiKey: 'another-key' };
  const drafts = [draft('New', { fields }), draft('One', { fields }), draft('Two', { fields })];
  await expect(core.connections.importAll(drafts, replace)).rejects.toThrow('disk full');
  expect(core.connections.list()).toEqual(before);
  for (const { id } of [one, two]) expect(await given(core, id)).toMatchObject({ apiKey: 'hunter2-secret' });
  expect(bytesOf(home).match(/"[\w-]{36}\/apiKey"/g)).toHaveLength(2);
});

test.each([
  [
    '"Two": Fixture connections have no field nonsense',
    [draft('One'), draft('Two', { fields: { nonsense: 1 } })],
  ],
  ['Two of the connections are named "One"', [draft('One'), draft(' One ')]],
  ['A connection named "There" already exists', [draft('One'), draft('There')]],
])('an import that fails with %j saves nothing', async (message, drafts) => {
  const { core } = await testCore();
  await core.connections.create(draft('There'));
  await expect(core.connections.importAll(drafts, { replace: false, dryRun: false })).rejects.toThrow(
    message,
  );
  expect(core.connections.list().map(({ name }) => name)).toEqual(['There']);
});
