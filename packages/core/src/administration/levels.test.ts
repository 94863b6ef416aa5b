import { expect, test } from 'vitest';
import { accessTo, client, fixtureDraft, questions, testCore } from '../testing/test-core.ts';
import type { Actor, Administration, ConnectionDraft, Core } from '../types.ts';

const program: Actor = { door: 'commandLine', isPerson: false };
const link: Actor = { door: 'link', isPerson: false };
const typed: Actor = { door: 'commandLine', isPerson: true };
const person: Actor = { door: 'window', isPerson: true };

const plain: ConnectionDraft = {
  ...fixtureDraft,
  fields: { host: 'db.example' },
  externalClients: 'readOnly',
  aiPolicy: 'askEachTime',
};
const elsewhere = { fields: { host: 'other.example' } };

const levels: [string, Partial<ConnectionDraft>, string][] = [
  [
    'External Clients: Read & Write',
    { externalClients: 'readWrite' },
    'External Clients: readOnly → readWrite',
  ],
  ['AI Policy: Always Allow', { aiPolicy: 'alwaysAllow' }, 'AI Policy: askEachTime → alwaysAllow'],
  ['a higher reach limit', { reachLimit: 101 }, 'Reach Limit: 100 → 101 rows'],
];

const noHigher: [string, Partial<ConnectionDraft>][] = [
  ['the default levels', {}],
  ['Blocked', { externalClients: 'blocked' }],
  ['AI Policy: Never', { aiPolicy: 'never' }],
  ['a lower reach limit', { reachLimit: 1 }],
  ['masked columns', { masking: { columns: ['email'], patterns: ['card'], open: ['phone'] } }],
];

/** Each way to save levels for a database that had none. */
const acts: [string, (admin: Administration, draft: ConnectionDraft, core: Core) => Promise<unknown>][] = [
  ['add', (admin, draft) => admin.createConnection(draft)],
  ['import', (admin, draft) => admin.importConnections([draft], { replace: false, dryRun: false })],
  [
    'import among others',
    (admin, draft) =>
      admin.importConnections([{ ...plain, name: 'First' }, draft], { replace: true, dryRun: false }),
  ],
];

async function guardedCore() {
  const { core } = await testCore();
  await core.administer(person).setPassphrase({ current: null, next: 'correct horse' });
  return core;
}

for (const [act, save] of acts) {
  test.each(levels)(`once a passphrase is set, a program cannot ${act} %s`, async (_name, level, words) => {
    const core = await guardedCore();
    for (const actor of [program, link]) {
      await expect(save(core.administer(actor), { ...plain, ...level }, core)).rejects.toMatchObject({
        code: 'passphrase_needed',
        message: expect.stringContaining(words),
      });
      expect(core.connections.list()).toEqual([]);
    }
    await save(core.administer(typed), { ...plain, ...level }, core);
    expect(core.connections.list().at(-1)).toMatchObject(level);
  });

  test.each(noHigher)(`a program may still ${act} %s`, async (_name, level) => {
    const core = await guardedCore();
    await save(core.administer(program), { ...plain, ...level }, core);
    expect(core.connections.list().at(-1)).toMatchObject(level);
  });

  test.each(levels)(`without a passphrase, a program may ${act} %s`, async (_name, level) => {
    const { core } = await testCore();
    await save(core.administer(program), { ...plain, ...level }, core);
    expect(core.connections.list().at(-1)).toMatchObject(level);
  });
}

test.each(levels)(
  'once a passphrase is set, a program cannot lead a connection with %s to another database',
  async (_name, level, words) => {
    const { core } = await testCore();
    const open = await core.connections.create({ ...plain, ...level });
    const moved = { ...plain, ...level, ...elsewhere };
    const admin = core.administer(program);
    // No passphrase is set: the program could also add a new connection.
    await admin.updateConnection(open.id, moved);
    await admin.updateConnection(open.id, { ...plain, ...level });
    await core.administer(person).setPassphrase({ current: null, next: 'correct horse' });
    const before = core.connections.get(open.id);
    const refusal = { code: 'passphrase_needed', message: expect.stringContaining(words) };
    await expect(admin.updateConnection(open.id, moved)).rejects.toMatchObject(refusal);
    await expect(admin.importConnections([moved], { replace: true, dryRun: false })).rejects.toMatchObject(
      refusal,
    );
    expect(core.connections.get(open.id)).toEqual(before);
    // Other changes keep the database, so they keep the levels.
    await admin.updateConnection(open.id, { ...plain, ...level, name: 'Renamed', word: 'TEST' });
    await admin.updateConnection(open.id, { ...plain, ...elsewhere, name: 'Renamed', reachLimit: 100 });
    await core.administer(typed).updateConnection(open.id, moved);
    expect(core.connections.get(open.id)).toMatchObject(level);
  },
);

test('no sequence of removing, renaming, adding, editing and importing gives a program higher levels', async () => {
  const core = await guardedCore();
  const { id } = await core.connections.create({ ...plain, name: 'Kept', ...elsewhere });
  const sample = await core.connections.create({ ...fixtureDraft, name: 'Sample', fields: { host: 'demo' } });
  const admin = core.administer(program);
  const raised = { ...plain, externalClients: 'readWrite', aiPolicy: 'alwaysAllow' } as const;
  const attempts = [
    // Under its old name, under a new one, and as a second connection to the same database.
    () =>
      admin
        .removeConnection(id)
        .then(() => admin.createConnection({ ...raised, name: 'Kept', ...elsewhere })),
    () => admin.createConnection({ ...raised, name: 'Second', ...elsewhere }),
    () => admin.createConnection({ ...raised, name: ' Kept ', ...elsewhere }),
    () => admin.importConnections([{ ...raised, name: 'Kept' }], { replace: true, dryRun: false }),
    // An open connection takes the name and the address of the other.
    () =>
      admin
        .updateConnection(sample.id, { ...fixtureDraft, name: 'Kept', fields: { host: 'demo' } })
        .then(() =>
          admin.updateConnection(sample.id, {
            ...fixtureDraft,
            name: 'Kept',
            fields: { host: 'other.example' },
          }),
        ),
    () =>
      admin.importConnections([{ ...fixtureDraft, name: 'Kept', fields: { host: 'other.example' } }], {
        replace: true,
        dryRun: false,
      }),
    // First at the default levels, then raised.
    () =>
      admin
        .createConnection({ ...plain, name: 'Later' })
        .then((later) => admin.updateConnection(later.id, { ...raised, name: 'Later' })),
  ];
  for (const attempt of attempts)
    await expect(attempt()).rejects.toMatchObject({ code: 'passphrase_needed' });
  const open = core.connections.list().filter(({ aiPolicy }) => aiPolicy === 'alwaysAllow');
  expect(open.map(({ fields }) => fields.host)).toEqual(['demo']);
});

test('a dry run says what would need the passphrase, and asks for nothing', async () => {
  const core = await guardedCore();
  await core.connections.create({ ...fixtureDraft, name: 'Moved', fields: { host: 'db.example' } });
  const drafts = [
    { ...fixtureDraft, name: 'New', fields: { host: 'db.example' } },
    { ...fixtureDraft, name: 'Moved', ...elsewhere },
    { ...plain, name: 'Plain' },
  ];
  const planned = await core.administer(program).importConnections(drafts, { replace: true, dryRun: true });
  const above = ['External Clients: readOnly → readWrite', 'AI Policy: askEachTime → alwaysAllow'];
  expect(planned.map(({ name, raises, aboveDefault }) => [name, raises, aboveDefault])).toEqual([
    ['New', [], above],
    ['Moved', [], above],
    ['Plain', [], []],
  ]);
  expect(core.connections.list()).toHaveLength(1);
});

test("a client's approval ends when a program leads the connection to another database", async () => {
  const { core } = await testCore();
  const { id } = await core.connections.create(plain);
  core.approvals.setPresence('window');
  const answer = async (about: Promise<unknown>) => {
    const [question] = await questions(core);
    await core.administer(person).answer(question!.id, 'allow');
    return about;
  };
  const read = () => core.data.tables(accessTo(id, client()));
  await answer(read());
  await core.administer(program).updateConnection(id, { ...plain, name: 'Renamed' });
  await read();
  await core.administer(program).updateConnection(id, { ...plain, ...elsewhere });
  expect(core.approvals.granted()).toEqual([]);

  // The user answers a question that was asked about the old database.
  const asked = read();
  const refused = expect(asked).rejects.toMatchObject({ code: 'not_approved' });
  await questions(core);
  await core.administer(program).updateConnection(id, plain);
  await answer(asked.catch(() => {}));
  await refused;
  expect(core.approvals.granted()).toEqual([]);
});
