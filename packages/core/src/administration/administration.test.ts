import { expect, test } from 'vitest';
import { accessTo, bytesOf, client, fixtureDraft, questions, testCore } from '../testing/test-core.ts';
import type { Actor, ConnectionDraft, Core, Masking } from '../types.ts';

const program: Actor = { door: 'commandLine', isPerson: false };
const link: Actor = { door: 'link', isPerson: false };
const person: Actor = { door: 'window', isPerson: true };
const token = { name: 'T', permission: 'fullAccess', allowlist: null, expiresAt: null } as const;
const closed: ConnectionDraft = { ...fixtureDraft, externalClients: 'readOnly', aiPolicy: 'askEachTime' };

const logged = (core: Core) =>
  core.activity.list({ limit: 20 }).map(({ action, outcome, detail }) => [action, outcome, detail]);

test.each([program, link])('only a person creates a Full Access token ($door)', async (actor) => {
  const { core } = await testCore();
  await expect(core.administer(actor).createToken(token)).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Creating a Full Access token needs the administrator passphrase, and none is set',
  });
  await core.administer(person).setPassphrase({ current: null, next: 'correct horse' });
  await expect(core.administer(actor).createToken(token)).rejects.toMatchObject({
    code: 'passphrase_needed',
    hint: expect.stringMatching(actor === link ? /^Enter it on this page/ : /^Run the command in a terminal/),
  });
  expect(core.tokens.list()).toEqual([]);
  await core.administer({ ...actor, isPerson: true }).createToken(token);
  await core.administer(actor).createToken({ ...token, permission: 'readWrite' });
  expect(core.tokens.list()).toHaveLength(2);
});

test.each([
  ['raise External Clients', { externalClients: 'readWrite' }],
  ['raise AI Policy', { aiPolicy: 'alwaysAllow' }],
  ['end masking', { masking: { columns: [], patterns: [] } }],
  ['open a column', { masking: { columns: ['email'], patterns: [], open: ['phone'] } }],
  ['raise the reach limit', { reachLimit: 100_000 }],
] as [string, Partial<ConnectionDraft>][])(
  'a program that updates or imports connections cannot %s, but may lower the levels',
  async (_name, raised) => {
    const { core } = await testCore();
    const masking = { columns: ['email'], patterns: [] };
    const before = await core.connections.create({ ...closed, masking });
    const { administer } = core;
    const draft = { ...closed, ...raised };
    await expect(administer(program).updateConnection(before.id, draft)).rejects.toMatchObject({
      code: 'forbidden',
    });
    const options = { replace: true, dryRun: false };
    await expect(administer(program).importConnections([draft], options)).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(core.connections.get(before.id)).toEqual(before);
    const lowered = { ...closed, externalClients: 'blocked', aiPolicy: 'never', reachLimit: 1 } as const;
    await administer(program).updateConnection(before.id, lowered);
    expect(core.connections.get(before.id)).toMatchObject({ externalClients: 'blocked', masking });
    await administer(person).updateConnection(before.id, draft);
    expect(core.connections.get(before.id)).toMatchObject(raised);
  },
);

test.each([
  ['the column email', { columns: ['email'], patterns: [] }],
  ['the column email and the kind of value card', { columns: ['email'], patterns: ['card'] }],
  ['the open column email', { columns: [], patterns: [], open: ['email'] }],
] as [string, Masking][])(
  'a program cannot replace the masked kind of value "email" by %s',
  async (_, masking) => {
    const { core } = await testCore();
    const before = await core.connections.create({
      ...closed,
      masking: { columns: [], patterns: ['email'] },
    });
    const draft = { ...closed, masking };
    await expect(core.administer(program).updateConnection(before.id, draft)).rejects.toMatchObject({
      message: expect.stringContaining('(Masking: no longer email'),
    });
    await expect(
      core.administer(program).importConnections([draft], { replace: true, dryRun: false }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    expect(core.connections.get(before.id)).toEqual(before);
  },
);

test('a program cannot replace a masked column by a kind of value of the same name, but may mask both', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create({ ...closed, masking: { columns: ['email'], patterns: [] } });
  const masked = (masking: Masking) => core.administer(program).updateConnection(id, { ...closed, masking });
  await expect(masked({ columns: [], patterns: ['email'] })).rejects.toMatchObject({ code: 'forbidden' });
  await masked({ columns: ['email'], patterns: ['email'] });
  await expect(masked({ columns: ['email'], patterns: [] })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(masked({ columns: [], patterns: ['email'] })).rejects.toMatchObject({ code: 'forbidden' });
});

test('without a passphrase, a program may create or import a new connection that is open to clients', async () => {
  const { core } = await testCore();
  await core.administer(program).createConnection(fixtureDraft);
  await core
    .administer(program)
    .importConnections([{ ...fixtureDraft, name: 'Two' }], { replace: true, dryRun: false });
  expect(core.connections.list()).toHaveLength(2);
});

test('a program cannot send a stored key to another host', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  const elsewhere = { ...fixtureDraft, fields: { host: 'evil.example', auth: 'apiKey' } };
  const signal = new AbortController().signal;
  const tested = await core.connections.test(elsewhere, { id, signal, secretsFor: 'sameFields' });
  expect(tested).toMatchObject({ ok: false, error: { message: 'API Key is required' } });
  await expect(core.administer(program).updateConnection(id, elsewhere)).rejects.toThrow(
    'API Key is required',
  );
  await core.administer(person).updateConnection(id, elsewhere);
  expect(core.connections.get(id)).toMatchObject({ storedSecrets: ['apiKey'] });
});

test('only a person may allow a question, and every door may refuse it', async () => {
  const { core } = await testCore({ timing: { refusalMs: 0 } });
  const { id } = await core.connections.create({ ...closed, externalClients: 'readWrite' });
  core.approvals.setPresence('window');
  const call = core.data.tables(accessTo(id, client()));
  const [question] = await questions(core);
  for (const actor of [link, program]) {
    for (const answer of ['allow', 'allowOnce'] as const) {
      await expect(core.administer(actor).answer(question!.id, answer)).rejects.toMatchObject({
        code: 'forbidden',
        message: "Allowing a client's request needs the administrator passphrase, and none is set",
      });
    }
  }
  expect(core.approvals.pending()).toHaveLength(1);
  await core.administer(person).answer(question!.id, 'allow');
  expect(await call).toBeTruthy();
  for (const [actor, door] of [
    [link, 'a window opened by a printed link'],
    [program, 'the command line'],
  ] as const) {
    const other = client({ id: door, name: door });
    const refused = core.data.tables(accessTo(id, other));
    const failed = expect(refused).rejects.toMatchObject({ code: 'not_approved' });
    const [asked] = await questions(core);
    await core.administer(actor).answer(asked!.id, 'refuse');
    await failed;
    expect(logged(core)).toContainEqual([
      'answer_question',
      'ok',
      `Through ${door}: refuse: access, "Some client"`,
    ]);
  }
});

test('the log names the door of an act, also if the act was refused', async () => {
  const { core } = await testCore();
  await core.administer(person).createConnection(fixtureDraft);
  await core.administer(link).createToken({ ...token, permission: 'readOnly' });
  await core
    .administer(program)
    .createToken(token)
    .catch(() => {});
  expect(logged(core)).toEqual([
    [
      'create_token',
      'denied',
      expect.stringMatching(/^Through the command line: "T", fullAccess: Creating a Full Access/),
    ],
    ['create_token', 'ok', 'Through a window opened by a printed link: "T", readOnly'],
    ['create_connection', 'ok', 'Through Trestle\'s window: "Fixture"'],
  ]);
});

test('the passphrase is not stored as plain text, changes only with the current one, and is locked after wrong guesses', async () => {
  const { core, home } = await testCore();
  const { setPassphrase } = core.administer(program);
  expect(await core.passphrase.isSet()).toBe(false);
  await expect(setPassphrase({ current: null, next: 'short' })).rejects.toThrow('8 characters or more');
  await setPassphrase({ current: null, next: 'correct horse' });
  expect(bytesOf(home).includes('correct horse')).toBe(false);
  await core.passphrase.verify('correct horse');
  await expect(setPassphrase({ current: null, next: 'mine instead' })).rejects.toMatchObject({
    code: 'passphrase_needed',
  });
  await expect(setPassphrase({ current: 'wrong', next: 'mine instead' })).rejects.toThrow('is not right');
  await setPassphrase({ current: 'correct horse', next: 'battery staple' });
  await expect(core.passphrase.verify('correct horse')).rejects.toThrow('is not right');
  for (let guess = 0; guess < 2; guess += 1) await core.passphrase.verify(`guess ${guess}`).catch(() => {});
  await expect(core.passphrase.verify('battery staple')).rejects.toThrow('Too many wrong passphrases');
});

test('passphrase guesses that run at the same time all count', async () => {
  const { core } = await testCore();
  await core.administer(program).setPassphrase({ current: null, next: 'correct horse' });
  const guesses = Array.from({ length: 8 }, (_, guess) => core.passphrase.verify(`guess ${guess}`));
  const messages = (await Promise.allSettled(guesses)).map((one) => 'reason' in one && one.reason.message);
  expect(messages.filter((message) => message === 'The administrator passphrase is not right')).toHaveLength(
    5,
  );
  expect(messages.filter((message) => message === 'Too many wrong passphrases were typed')).toHaveLength(3);
});

const { signal } = new AbortController();
const masking = { columns: ['email'], patterns: [] };

test.each([
  ['External Clients: Read Only', { externalClients: 'readOnly' }],
  ['AI Policy: Ask Each Time', { aiPolicy: 'askEachTime' }],
  ['AI Policy: Never', { aiPolicy: 'never' }],
  ['a masked column', { masking }],
] as [string, Partial<ConnectionDraft>][])(
  'a program may not import into a connection with %s, nor copy from or into it; a person may import into it and copy from it',
  async (_name, levels) => {
    const { core } = await testCore();
    const guarded = await core.connections.create({ ...fixtureDraft, name: 'Guarded', ...levels });
    const open = await core.connections.create({ ...fixtureDraft, name: 'Open' });
    // Each copy has its own target, since two copies to one target at the same time are refused.
    let copies = 0;
    const copy = (actor: Actor, from: string, to: string) =>
      core.administer(actor).beginCopy({
        from: { connectionId: from, table: 'a' },
        to: { connectionId: to, table: `copy ${++copies}` },
        goOn: false,
      });
    const refusal = { code: 'forbidden', message: expect.stringContaining('read-only or not Always Allow') };
    for (const [from, to] of [
      [guarded, open],
      [open, guarded],
      [guarded, guarded],
    ] as const) {
      await expect(copy(program, from.id, to.id)).rejects.toMatchObject(refusal);
    }
    await expect(copy(program, open.id, open.id)).resolves.toHaveProperty('id');
    await expect(copy(person, guarded.id, open.id)).resolves.toHaveProperty('id');

    const target = { connectionId: guarded.id, table: 'a', replace: false, rows: 1 };
    await expect(core.administer(program).beginImport(target, signal)).rejects.toMatchObject(refusal);
    await expect(core.administer(person).beginImport(target, signal)).resolves.toHaveProperty('id');
  },
);

test('an import by a program replaces no more rows than the reach limit; one by a person may replace more', async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create({ ...fixtureDraft, reachLimit: 5 });
  const begin = (actor: Actor, more: { replace: boolean; rows?: number }) =>
    core.administer(actor).beginImport({ connectionId: id, table: 'things', ...more }, signal);
  const refusal = { code: 'forbidden', message: expect.stringContaining('Replacing more than 5 rows') };
  await expect(begin(program, { replace: true, rows: 6 })).rejects.toMatchObject(refusal);
  await expect(begin(program, { replace: true })).rejects.toMatchObject(refusal);
  await expect(begin(program, { replace: true, rows: 5 })).resolves.toHaveProperty('id');
  await expect(begin(program, { replace: false, rows: 1_000 })).resolves.toHaveProperty('id');
  await expect(begin(person, { replace: true, rows: 1_000 })).resolves.toHaveProperty('id');
});

test.each([program, person])(
  'an import, export or copy of a removed connection fails with not_found, not with forbidden (%j)',
  async (actor) => {
    const { core } = await testCore();
    const { id: connectionId } = await core.connections.create(fixtureDraft);
    const gone = (await core.connections.create({ ...fixtureDraft, name: 'Gone' })).id;
    await core.connections.remove(gone);
    const acts = core.administer(actor);
    const all = { columns: ['id'], filters: [], match: 'all' as const, sort: [] };
    const copy = (from: string, to: string) =>
      acts.beginCopy({
        from: { connectionId: from, table: 'a' },
        to: { connectionId: to, table: 'b' },
        goOn: false,
      });
    const attempts = [
      () => acts.beginImport({ connectionId: gone, table: 't', replace: true, rows: 9 }, signal),
      () => acts.beginExport({ connectionId: gone, table: 't', ...all }, signal),
      () => copy(gone, connectionId),
      () => copy(connectionId, gone),
      () => copy(gone, gone),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'not_found',
        message: 'There is no connection with this id',
      });
    }
  },
);
