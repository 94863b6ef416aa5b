import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { newConnectionDraft } from '../index.ts';
import { accessTo, client, questions, root, temporaryFolder, testCore } from '../testing/test-core.ts';
import type { ConnectionDraft } from '../types.ts';

const full = client({ permission: 'fullAccess' });
const drop = 'DROP TABLE planets';

async function openPlanets(changes: Partial<ConnectionDraft> = {}) {
  const { core, events } = await testCore({ bundledDrivers: [join(root, 'dist', 'drivers', 'sqlite')] });
  core.approvals.setPresence('window');
  const file = join(temporaryFolder(), 'planets.db');
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO planets (name) VALUES ('Venus'), ('Earth'), ('Mars')`);
  database.close();
  const draft: ConnectionDraft = {
    ...newConnectionDraft(core.drivers.get('sqlite')!),
    name: 'Planets',
    fields: { file },
    aiPolicy: 'alwaysAllow',
    externalClients: 'readWrite',
    ...changes,
  };
  const { id } = await core.connections.create(draft);
  const count = async () => (await core.data.tables(accessTo(id))).length;
  const exec = (text: string) => {
    const other = new DatabaseSync(file);
    other.exec(text);
    other.close();
  };
  return { core, events, id, draft, count, exec };
}

test('the user sees how many rows will be lost, and the statement runs only after the approval', async () => {
  const { core, events, id, count } = await openPlanets();
  const running = core.data.runDestructive(accessTo(id, full), { text: drop, reason: 'No longer needed' });
  const [question] = await questions(core);
  expect(question).toEqual({
    id: expect.any(String),
    shortId: expect.stringMatching(/^[0-9a-f]{4}$/),
    clientWaits: true,
    driver: expect.stringMatching(/^\w+, ships with Trestle$/),
    kind: 'destroy',
    connection: { id, name: 'Planets' },
    tokenName: 'My token',
    clientName: 'Some client',
    statement: drop,
    summary: 'Drop table planets',
    tables: [{ table: 'planets', rows: 3 }],
    cascades: false,
    schema: expect.any(String),
    loss: 'Changed or deleted: 3 rows of planets.',
    again: false,
    reason: 'No longer needed',
    title: 'Let “Some client” destroy data in “Planets”?',
    may: 'It may run this statement once. A later statement needs your approval again.',
    wants: 'Drop table planets. Changed or deleted: 3 rows of planets.',
    askedAt: expect.any(String),
    expiresAt: expect.any(String),
  });
  expect(await count()).toBe(1);
  core.approvals.answer(question!.id, 'allow');
  expect(await running).toMatchObject({ effect: 'destroy', historyId: expect.any(String) });
  expect(await count()).toBe(0);
  expect(events).toContainEqual({ type: 'schemaChanged', connectionId: id });
  expect(core.activity.list({ limit: 1 })).toMatchObject([{ action: 'destroy', outcome: 'ok' }]);
  expect(core.history.search({ limit: 1 })).toMatchObject([{ text: drop, effect: 'destroy', outcome: 'ok' }]);
});

test('an approval is for one run: the next run asks again', async () => {
  const { core, id } = await openPlanets();
  for (let time = 0; time < 2; time++) {
    const running = core.data.runDestructive(accessTo(id, full), { text: 'DELETE FROM planets' });
    const [question] = await questions(core);
    expect(question).toMatchObject({ tables: [{ rows: time === 0 ? 3 : 0 }] });
    core.approvals.answer(question!.id, 'allow');
    await running;
  }
});

test('a refusal also applies to other destructive statements of the client, so a changed text asks no new question', async () => {
  const { core, id, count } = await openPlanets();
  const running = core.data.runDestructive(accessTo(id, full), { text: drop });
  const [question] = await questions(core);
  core.approvals.answer(question!.id, 'refuse');
  const refused = { code: 'not_approved', message: 'The user did not approve this statement' };
  await expect(running).rejects.toMatchObject(refused);
  for (const text of [drop, `${drop} `, `${drop} -- again`, 'DELETE FROM planets']) {
    await expect(core.data.runDestructive(accessTo(id, full), { text })).rejects.toMatchObject(refused);
  }
  expect(core.approvals.pending()).toEqual([]);
  expect(await count()).toBe(1);
});

test.each<[string, Partial<ConnectionDraft>, typeof full, string]>([
  ['by a token without Full Access', {}, client({ permission: 'readWrite' }), 'forbidden'],
  ['by the bridge', {}, client({ permission: 'fullAccess', kind: 'bridge' }), 'forbidden'],
  [
    'on a connection outside of the allowlist',
    {},
    client({ permission: 'fullAccess', allowlist: [] }),
    'forbidden',
  ],
  ['on a read only connection', { externalClients: 'readOnly' }, full, 'read_only'],
])('a destructive statement %s is refused without a question', async (_, changes, caller, code) => {
  const { core, id } = await openPlanets(changes);
  await expect(core.data.runDestructive(accessTo(id, caller), { text: drop })).rejects.toMatchObject({
    code,
  });
  expect(core.approvals.pending()).toEqual([]);
  expect(core.activity.list({ limit: 9 })).toMatchObject([{ action: 'destroy', outcome: 'denied' }]);
});

test('with nobody to ask, the statement is refused with a hint', async () => {
  const { core, id, count } = await openPlanets();
  core.approvals.setPresence('none');
  await expect(core.data.runDestructive(accessTo(id, full), { text: drop })).rejects.toMatchObject({
    code: 'not_approved',
    hint: expect.stringMatching(/Open the app/),
  });
  expect(await count()).toBe(1);
});

test('if a level is lowered while the question waits, the statement does not run', async () => {
  const { core, id, draft, count } = await openPlanets();
  const running = core.data.runDestructive(accessTo(id, full), { text: drop });
  const ended = expect(running).rejects.toMatchObject({ code: expect.stringMatching(/cancelled|forbidden/) });
  const [question] = await questions(core);
  await core.connections.update(id, { ...draft, externalClients: 'blocked' });
  await ended;
  expect(() => core.approvals.answer(question!.id, 'allow')).toThrow();
  expect(await count()).toBe(1);
});

test('revoking a token withdraws its question', async () => {
  const { core, id } = await openPlanets();
  const { token } = core.tokens.create({
    name: 'T',
    permission: 'fullAccess',
    allowlist: null,
    expiresAt: null,
  });
  const running = core.data.runDestructive(accessTo(id, client({ ...token })), { text: drop });
  const ended = expect(running).rejects.toMatchObject({ code: 'cancelled' });
  await questions(core);
  core.tokens.revoke(token.id);
  await ended;
  expect(core.approvals.pending()).toEqual([]);
});

test.each([
  ['INSERT INTO planets (name) VALUES (1)', 'invalid_argument'],
  ['SELECT 1', 'invalid_argument'],
  ['DROP TABLE planets; DROP TABLE planets', 'refused'],
  ['DROP TABLE gone', 'query_failed'],
])('%s fails without a question to the user', async (text, code) => {
  const { core, id } = await openPlanets();
  await expect(core.data.runDestructive(accessTo(id, full), { text })).rejects.toMatchObject({ code });
  expect(core.approvals.pending()).toEqual([]);
});

test('a trigger that deletes rows by a masked column is refused without a question', async () => {
  const { core, id, count } = await openPlanets({ masking: { columns: ['planets.name'], patterns: [] } });
  const text = 'CREATE TRIGGER t AFTER INSERT ON planets BEGIN DELETE FROM planets WHERE name > 1; END';
  await expect(core.data.runDestructive(accessTo(id, full), { text })).rejects.toMatchObject({
    code: 'refused',
  });
  expect(core.approvals.pending()).toEqual([]);
  expect(await count()).toBe(1);
});

test('if another table took the name of the approved one, the user is asked again', async () => {
  const { core, id, count, exec } = await openPlanets();
  exec('CREATE TABLE scratch (a); DELETE FROM planets;');
  const running = core.data.runDestructive(accessTo(id, full), { text: 'DROP TABLE scratch' });
  const [first] = await questions(core);
  expect(first).toMatchObject({ tables: [{ table: 'scratch', rows: 0 }], again: false });
  exec(`ALTER TABLE scratch RENAME TO gone; ALTER TABLE planets RENAME TO scratch;
    INSERT INTO scratch VALUES (1, 'Venus'), (2, 'Earth')`);
  core.approvals.answer(first!.id, 'allow');
  await expect.poll(() => core.approvals.pending()).toMatchObject([{ again: true }]);
  const [second] = await questions(core);
  expect(second).toMatchObject({ tables: [{ table: 'scratch', rows: 2 }] });
  core.approvals.answer(second!.id, 'refuse');
  await expect(running).rejects.toMatchObject({ code: 'not_approved' });
  expect(await count()).toBe(2);
});

test('rows that a cascade deletes are counted in the question', async () => {
  const { core, id, exec } = await openPlanets();
  exec(`CREATE TABLE moons (id INTEGER PRIMARY KEY, planet REFERENCES planets ON DELETE CASCADE);
    INSERT INTO moons VALUES (1, 2), (2, 3), (3, 3), (4, 3)`);
  const running = core.data.runDestructive(accessTo(id, full), { text: 'DELETE FROM planets' });
  const [question] = await questions(core);
  expect(question).toMatchObject({
    tables: [
      { table: 'planets', rows: 3 },
      { table: 'moons', rows: 4 },
    ],
    cascades: true,
  });
  core.approvals.answer(question!.id, 'allow');
  await running;
});

test('a statement beyond the reach limit is refused with its number of rows, and runs if the user approves it', async () => {
  const { core, id } = await openPlanets({ reachLimit: 2 });
  const text = 'UPDATE planets SET name = upper(name) WHERE id = id';
  await expect(core.data.runQuery(accessTo(id, full), { text, limit: 1 })).rejects.toMatchObject({
    code: 'above_ceiling',
    message: expect.stringContaining('3 rows (3 of planets), and the limit for one call is 2'),
  });
  const running = core.data.runDestructive(accessTo(id, full), { text });
  const [question] = await questions(core);
  expect(question).toMatchObject({ tables: [{ table: 'planets', rows: 3 }] });
  core.approvals.answer(question!.id, 'allow');
  expect(await running).toMatchObject({ results: [{ kind: 'affected', rows: 3 }] });
  // A person runs the statement without a question.
  expect(await core.data.runQuery(accessTo(id), { text, limit: 1 })).toMatchObject({ effect: 'write' });
});

test('the reach limit also applies to the rows that a client deletes with one call of applyChanges', async () => {
  const { core, id } = await openPlanets({ reachLimit: 2 });
  const changes = [1, 2, 3].map((key) => ({ kind: 'delete' as const, id: `${key}`, key: { id: key } }));
  const apply = (count: number) =>
    Array.fromAsync(
      core.data.applyChanges(accessTo(id, full), { table: 'planets', changes: changes.slice(0, count) }),
    );
  await expect(apply(3)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('3 rows'),
  });
  const outcomes = (await apply(2)).flatMap((report) => report.outcomes);
  expect(outcomes).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
});

test('a person runs a destructive statement without a question', async () => {
  const { core, id, count } = await openPlanets();
  await core.data.runDestructive(accessTo(id), { text: drop });
  expect(await count()).toBe(0);
});

/** Planets without a window; the user types a passphrase at a terminal. */
async function headlessPlanets() {
  const parts = await openPlanets();
  const { core, id } = parts;
  const terminal = core.administer({ door: 'commandLine', isPerson: true });
  await terminal.setPassphrase({ current: null, next: 'correct horse' });
  core.approvals.setPresence('none');
  const run = (text: string, reason?: string) =>
    core.data.runDestructive(accessTo(id, full), { text, ...(reason && { reason }) });
  const refused = async (text: string, reason?: string) => {
    await expect(run(text, reason)).rejects.toMatchObject({
      code: 'not_approved',
      hint: expect.stringMatching(/`trestle approvals allow [0-9a-f]{4}`/),
    });
    return core.approvals.pending()[0]!;
  };
  return { ...parts, run, refused, allow: (one: { id: string }) => terminal.answer(one.id, 'allow') };
}

test('a statement that was allowed at a terminal runs at the next try, once', async () => {
  const { run, refused, allow, exec, count, core } = await headlessPlanets();
  const question = await refused(drop, 'First reason');
  expect(question).toMatchObject({
    kind: 'destroy',
    clientWaits: false,
    tables: [{ rows: 3 }],
    again: false,
  });
  expect(await refused(drop, 'Second reason')).toEqual(question);
  expect(await count()).toBe(1);
  await allow(question);
  expect(await run(drop, 'Third reason')).toMatchObject({ effect: 'destroy' });
  expect(await count()).toBe(0);
  // The approval is used up, so a replay asks again.
  exec(
    "CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO planets (name) VALUES ('a'), ('b'), ('c')",
  );
  await refused(drop);
  expect(await count()).toBe(1);
  expect(core.approvals.pending()).toHaveLength(1);
});

test('an approval at a terminal does not cover another statement, nor the same one after the data changed', async () => {
  const { refused, allow, exec, count, core } = await headlessPlanets();
  const first = await refused(drop);
  await allow(first);
  await refused('DELETE FROM planets');
  exec("INSERT INTO planets (name) VALUES ('Pluto')");
  await refused(drop);
  const again = core.approvals.pending().find((one) => 'statement' in one && one.statement === drop);
  expect(again).toMatchObject({ again: true, tables: [{ rows: 4 }] });
  expect(again!.shortId).not.toBe(first.shortId);
  // The old numbers come back. Their approval no longer counts.
  exec("DELETE FROM planets WHERE name = 'Pluto'");
  await refused(drop);
  expect(await count()).toBe(1);
});

test('an approval at a terminal does not cover another table that takes the name', async () => {
  const { refused, allow, exec, core, id } = await headlessPlanets();
  exec(
    "CREATE TABLE moons (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO moons (name) VALUES ('a'), ('b'), ('c')",
  );
  const text = 'DELETE FROM planets';
  await allow(await refused(text));
  for (const rename of ['ALTER TABLE planets RENAME TO old', 'ALTER TABLE moons RENAME TO planets']) {
    await core.data.runQuery(accessTo(id, full), { text: rename, limit: 1 });
  }
  const again = await refused(text);
  expect(again).toMatchObject({ again: true, tables: [{ table: 'planets', rows: 3 }] });
  // A second change of the schema closes the question that shows the first one.
  await core.data.runQuery(accessTo(id, full), { text: 'ALTER TABLE planets RENAME TO later', limit: 1 });
  await core.data.runQuery(accessTo(id, full), { text: 'ALTER TABLE old RENAME TO planets', limit: 1 });
  await refused(text);
  await expect(allow(again)).rejects.toMatchObject({ code: 'not_found' });
});

test('a question at a terminal with old numbers closes when the client asks with new ones', async () => {
  const { refused, allow, exec, count } = await headlessPlanets();
  const first = await refused(drop);
  exec("INSERT INTO planets (name) VALUES ('Pluto')");
  await refused(drop);
  await expect(allow(first)).rejects.toMatchObject({ code: 'not_found' });
  expect(await count()).toBe(1);
});
