import type { MaskedKinds } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, type TemporaryDatabase, temporaryDatabase } from './testing/temporary-database.ts';

const schema = `
  CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT, other TEXT);
  INSERT INTO notes VALUES (1, 'plain', 'ada@lovelace.example'), (2, 'also plain', NULL);
  CREATE TABLE log (id INTEGER PRIMARY KEY, a TEXT);
`;
const guarded = [{ table: 'notes', column: 'other' }];
const outdated = { code: 'mask_outdated' };
const text = "UPDATE notes SET id = id WHERE note LIKE 'ada%' RETURNING hex(note)";

async function kindsNow({ session }: TemporaryDatabase, table = 'notes'): Promise<MaskedKinds> {
  const mark = (await session.changeMark!(table, call)) ?? '';
  return { patterns: ['email'], open: [], marks: [{ table, mark }] };
}

test.each([
  [
    'a statement',
    (session: TemporaryDatabase['session'], maskedKinds: MaskedKinds) => run(session, maskedKinds),
  ],
  [
    'a statement that was approved',
    (session: TemporaryDatabase['session'], maskedKinds: MaskedKinds) =>
      session.run(
        {
          text,
          ceiling: 'write',
          limit: 9,
          guarded,
          maskedKinds,
          approved: { tables: [], cascades: false, schema: '' },
        },
        call,
      ),
  ],
  [
    'the measure of a statement',
    (session: TemporaryDatabase['session'], maskedKinds: MaskedKinds) =>
      session.measure({ text, guarded, maskedKinds }, call),
  ],
  [
    'a save',
    (session: TemporaryDatabase['session'], maskedKinds: MaskedKinds) =>
      save(session, { guarded, maskedKinds }),
  ],
])('%s does nothing if a column got its first email address after its table was read', async (_, attempt) => {
  const database = await temporaryDatabase(schema);
  const kinds = await kindsNow(database);
  database.exec("UPDATE notes SET note = 'ada@love.example' WHERE id = 2");
  await expect(attempt(database.session, kinds)).rejects.toMatchObject(outdated);
  expect(database.query('SELECT note FROM notes')).toEqual([['plain'], ['ada@love.example']]);
});

test.each(['DELETE', 'WAL'])(
  'a file that changed without such a value is read again, in journal mode %s',
  async (mode) => {
    const database = await temporaryDatabase(`PRAGMA journal_mode = ${mode}; ${schema}`);
    const kinds = await kindsNow(database);
    database.exec("UPDATE notes SET note = 'changed' WHERE id = 2");
    await run(database.session, kinds);
    const reports = await save(database.session, { guarded, maskedKinds: kinds });
    expect(reports.flatMap(({ outcomes }) => outcomes)).toMatchObject([{ status: 'applied' }]);
  },
);

test('a table with the same mark is not read again', async () => {
  const database = await temporaryDatabase(schema);
  database.exec("UPDATE notes SET note = 'ada@love.example' WHERE id = 2");
  await run(database.session, await kindsNow(database));
});

test('a column that the user opened may hold such values', async () => {
  const database = await temporaryDatabase(schema);
  database.exec("UPDATE notes SET note = 'ada@love.example' WHERE id = 2");
  const open = [{ table: 'notes', column: 'note' }];
  await run(database.session, { patterns: ['email'], open, marks: [] });
});

test('a table that only a trigger reads is checked too', async () => {
  const database = await temporaryDatabase(`${schema}
    CREATE TRIGGER copied AFTER INSERT ON log WHEN new.a = 'x' BEGIN
      INSERT INTO log (a) SELECT hex(note) FROM notes; END;
    UPDATE notes SET note = 'ada@love.example' WHERE id = 2;`);
  const maskedKinds = await kindsNow(database, 'log');
  const insert = "INSERT INTO log (a) VALUES ('x')";
  const running = database.session.run(
    { text: insert, ceiling: 'write', limit: 9, reach: 9, maskedKinds },
    call,
  );
  await expect(running).rejects.toMatchObject(outdated);
  const changes = [{ kind: 'insert' as const, id: 'a', values: { a: 'x' } }];
  const request = { table: 'log', changes, rowTimeoutMs: 9_000, maskedKinds };
  await expect(Array.fromAsync(database.session.applyChanges!(request, call))).rejects.toMatchObject(
    outdated,
  );
  await expect(Array.fromAsync(database.session.importRows!(request, call))).rejects.toMatchObject(outdated);
  expect(database.query('SELECT * FROM log')).toEqual([]);
});

function run(session: TemporaryDatabase['session'], maskedKinds: MaskedKinds) {
  return session.run({ text, ceiling: 'write', limit: 9, reach: 9, guarded, maskedKinds }, call);
}

function save(
  session: TemporaryDatabase['session'],
  masked: { guarded: typeof guarded; maskedKinds: MaskedKinds },
) {
  const changes = [{ kind: 'update' as const, id: 'a', key: { id: 1 }, values: { note: 'new' } }];
  return Array.fromAsync(
    session.applyChanges!({ table: 'notes', changes, rowTimeoutMs: 9_000, ...masked }, call),
  );
}
