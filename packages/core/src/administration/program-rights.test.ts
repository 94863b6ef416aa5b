import { expect, test } from 'vitest';
import { accessTo, fixtureDraft, testCore } from '../testing/test-core.ts';
import type { Actor, ConnectionDraft, Core } from '../types.ts';

const program: Actor = { door: 'commandLine', isPerson: false };
const person: Actor = { door: 'commandLine', isPerson: true };
const { signal } = new AbortController();
/** A draft that changes nothing in the stored connection. It has no secret: a new secret would close the session. */
const same: ConnectionDraft = { ...fixtureDraft, fields: { host: 'db.example', auth: 'apiKey' } };
const row = (id: string) => ({ id, values: {} });

const stricter: [string, Partial<ConnectionDraft>][] = [
  ['External Clients', { externalClients: 'readOnly' }],
  ['AI Policy', { aiPolicy: 'askEachTime' }],
  ['masking', { masking: { columns: ['email'], patterns: [] } }],
];

const denied = (core: Core, action: string) =>
  core.activity.list({ limit: 20, action, outcome: 'denied' }).map(({ detail }) => detail);

test.each(stricter)(
  'an import by a program stops at the next batch after %s became stricter',
  async (_, levels) => {
    const { core } = await testCore();
    const { id: connectionId } = await core.connections.create(fixtureDraft);
    const begin = (actor: Actor) =>
      core.administer(actor).beginImport({ connectionId, table: 't', replace: false, rows: 9 }, signal);
    const [mine, theirs] = [await begin(person), await begin(program)];
    const stored = { outcomes: [{ id: '1', status: 'stored' }] };
    expect(await core.imports.send(theirs.id, [row('1')], signal)).toEqual(stored);
    await core.connections.update(connectionId, { ...same, ...levels });
    const message =
      '"Fixture" was restricted while the import ran: it is now masked, blocked, read-only or not Always Allow for AI clients';
    const refused = {
      outcomes: [],
      stopped: {
        code: 'forbidden',
        message,
        hint: expect.stringContaining(
          'The rows that are counted as stored stay there. No further rows were sent.',
        ),
      },
    };
    expect(await core.imports.send(theirs.id, [row('2')], signal)).toEqual(refused);
    expect(await core.imports.send(theirs.id, [row('3')], signal)).toEqual(refused);
    expect(denied(core, 'import_rows')).toEqual([`Through the command line: into t: ${message}`]);
    expect(await core.imports.send(mine.id, [row('1')], signal)).toEqual(stored);
    await core.connections.update(connectionId, { ...same, masking: { columns: [], patterns: [] } });
    expect(await core.imports.send(theirs.id, [row('2')], signal)).toMatchObject({
      outcomes: [{ status: 'stored' }],
    });
  },
);

test('an export by a program stops when the connection is blocked, but not at a level that allows reads', async () => {
  const { core } = await testCore();
  const { id: connectionId } = await core.connections.create(fixtureDraft);
  const request = {
    ...{ connectionId, table: 't', columns: ['id'], filters: [], match: 'all' as const, sort: [] },
  };
  const { id } = await core.administer(program).beginExport(request, signal);
  expect(await core.exports.read(id)).toMatchObject({ rowCount: 2 });
  await core.connections.update(connectionId, { ...same, externalClients: 'readOnly' });
  expect(await core.exports.read(id)).toMatchObject({ rowCount: 2 });
  await core.connections.update(connectionId, { ...same, externalClients: 'blocked' });
  await expect(core.exports.read(id)).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringMatching(
      /^"Fixture" was restricted while the export ran: it is now masked, blocked or not Always Allow/,
    ),
    hint: expect.stringContaining('The export is incomplete.'),
  });
  await expect(core.exports.read(id)).rejects.toThrow('This export has ended');
  expect(denied(core, 'export_rows')).toHaveLength(1);
  expect(await core.data.tables(accessTo(connectionId))).toBeTruthy();
});

test('an import and an export by a program say that their connection was removed', async () => {
  const { core } = await testCore();
  const { id: connectionId } = await core.connections.create(fixtureDraft);
  const acts = core.administer(program);
  const sending = await acts.beginImport({ connectionId, table: 't', replace: false, rows: 9 }, signal);
  const all = { columns: ['id'], filters: [], match: 'all' as const, sort: [] };
  const reading = await acts.beginExport({ connectionId, table: 't', ...all }, signal);
  await core.connections.remove(connectionId);
  expect(await core.imports.send(sending.id, [row('1')], signal)).toEqual({
    outcomes: [],
    stopped: {
      code: 'not_found',
      message: 'The connection was removed while the import ran',
      hint: 'The rows that are counted as stored stay there. No further rows were sent.',
    },
  });
  await expect(core.exports.read(reading.id)).rejects.toMatchObject({
    code: 'not_found',
    message: 'The connection was removed while the export ran',
    hint: 'The export is incomplete.',
  });
});
