import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type ColumnHead, maskJson, type RowSet, rowAt } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { newConnectionDraft } from '../index.ts';
import {
  accessTo,
  client,
  fixtureDraft,
  person,
  root,
  saved,
  temporaryFolder,
  testCore,
} from '../testing/test-core.ts';
import type { Core, DataAccess, Masking } from '../types.ts';
import { Mask } from './mask.ts';

const all = { table: 'users', filters: [], match: 'all' as const, sort: [] };
const byEmail = [{ column: 'email', operator: 'starts_with' as const, value: 'a' }];
const sortByEmail = [{ column: 'Email', order: 'asc' as const }];
const secrets = /lovelace|4111|1234567/;

async function openUsers(masking: Masking | undefined) {
  const { core } = await testCore({ bundledDrivers: [join(root, 'dist', 'drivers', 'sqlite')] });
  const file = join(temporaryFolder(), 'users.db');
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT, salary INTEGER, note TEXT, extra JSON);
    INSERT INTO users VALUES (1, 'Ada', 'ada@lovelace.example', 5000, 'card 4111 1111 1111 1111',
      '{"phone": "+49 30 1234567"}'), (2, 'Bob', NULL, NULL, 'nothing', NULL);
    CREATE VIEW contacts AS SELECT id, email AS contact FROM users;
    CREATE VIEW early AS SELECT id FROM users WHERE email < 'b'`);
  database.close();
  const draft = {
    ...newConnectionDraft(core.drivers.get('sqlite')!),
    name: 'Users',
    fields: { file },
    aiPolicy: 'alwaysAllow' as const,
    externalClients: 'readWrite' as const,
    ...(masking && { masking }),
  };
  const { id } = await core.connections.create(draft);
  return { core, id, draft, file, at: accessTo(id, client({ permission: 'fullAccess' })) };
}

const columns: Masking = { columns: ['users.email', 'salary'], patterns: [] };
const everything: Masking = { columns: ['users.email', 'salary'], patterns: ['email', 'card', 'phone'] };

/** Ways to read rows. */
const ways: Record<string, (core: Core, at: DataAccess) => Promise<RowSet[]>> = {
  browse: async (core, at) => [(await core.data.browse(at, { ...all, limit: 9, offset: 0 })).rows],
  readCells: async (core, at) => [
    await core.data.readCells(at, {
      table: 'USERS',
      keys: [{ id: 1 }, { id: 2 }],
      columns: ['id', 'name', 'email', 'salary', 'note', 'extra'],
    }),
  ],
  export: (core, at) => Array.fromAsync(core.data.exportRows(at, all)),
  query: async (core, at) => {
    const { results } = await core.data.runQuery(at, { text: 'SELECT * FROM users', limit: 9 });
    return results.flatMap((result) => (result.kind === 'rows' ? [result.rows] : []));
  },
};

test.each(Object.entries(ways))(
  'for a client, %s masks values and keeps NULL; for a person, it masks no column',
  async (_, way) => {
    const { core, at, id } = await openUsers(everything);
    const [rows] = await way(core, at);
    expect([rowAt(rows!, 0), rowAt(rows!, 1)]).toEqual([
      { id: 1, name: 'Ada', email: '•••', salary: '•••', note: '•••', extra: '•••' },
      { id: 2, name: 'Bob', email: null, salary: null, note: 'nothing', extra: null },
    ]);
    expect(rows!.columns.map(({ masked }) => masked === true)).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
    const [seen] = await way(core, accessTo(id, person));
    expect(rowAt(seen!, 0)).toMatchObject({ email: 'ada@lovelace.example', salary: 5000 });
    expect(seen!.columns.every(({ masked, origin }) => !masked && !origin)).toBe(true);
  },
);

test('a client cannot use a masked column to filter, sort, find rows or compute', async () => {
  const { core, at } = await openUsers(columns);
  const { data } = core;
  const attempts: (() => Promise<unknown>)[] = [
    () => data.browse(at, { ...all, filters: byEmail, limit: 1, offset: 0 }),
    () => data.browse(at, { ...all, table: 'Users', sort: sortByEmail, limit: 1, offset: 0 }),
    () => data.browse(at, { ...all, table: 'early', limit: 1, offset: 0 }),
    () => data.count(at, { ...all, filters: byEmail }),
    () => data.count(at, { ...all, table: 'early' }),
    () => Array.fromAsync(data.exportRows(at, { ...all, filters: byEmail })),
    () => data.readCells(at, { table: 'users', keys: [{ email: 'x' }], columns: ['id'] }),
    () => saved(core, at, { table: 'users', changes: [{ kind: 'delete', id: '1', key: { EMAIL: 'x' } }] }),
    () => data.runQuery(at, { text: "SELECT id FROM users WHERE email LIKE 'a%'", limit: 1 }),
    () => data.runQuery(at, { text: 'SELECT upper(email) FROM users', limit: 1 }),
    () => data.runQuery(at, { text: 'UPDATE users SET name = email WHERE id = 1', limit: 1 }),
    () => data.runQuery(at, { text: 'CREATE VIEW v AS SELECT email FROM users', limit: 1 }),
  ];
  for (const attempt of attempts) {
    await expect(attempt()).rejects.toMatchObject({ code: 'refused', hint: expect.stringMatching(/./) });
  }
  const outcomes = new Set(core.activity.list({ limit: 20 }).map(({ outcome }) => outcome));
  expect([...outcomes]).toEqual(['denied']);
});

test('a masked column is also masked in a view that renames it', async () => {
  const { core, at } = await openUsers(columns);
  const { rows } = await core.data.browse(at, { ...all, table: 'contacts', limit: 1, offset: 0 });
  expect(rowAt(rows, 0)).toEqual({ id: 1, contact: '•••' });
  const description = await core.data.describe(at, 'contacts');
  expect(description.columns[1]).toMatchObject({ name: 'contact', masked: true });
});

test('a description for a client lists the masked columns, and one for a person does not mention masking', async () => {
  const { core, at, id } = await openUsers(everything);
  const description = await core.data.describe(at, 'users');
  const masked = description.columns.filter((column) => column.masked);
  expect(masked.map(({ name }) => name)).toEqual(['email', 'salary']);
  for (const { unsortable, operators } of masked) {
    expect(unsortable).toBe('Masked for external clients');
    expect(operators.every(({ refusal }) => refusal === 'Masked for external clients')).toBe(true);
  }
  expect(description.notes.join('\n')).toMatch(/email, salary.*•••[\s\S]*card number/);
  const early = await core.data.describe(at, 'early');
  expect(early.notes.join('\n')).toMatch(/masks columns/);
  const { tables, total } = await core.data.describeAll(at, { limit: 100 });
  const each = await Promise.all(tables.map(({ name }) => core.data.describe(at, name)));
  expect([tables, total]).toEqual([each, each.length]);
  const seen = await core.data.describe(accessTo(id), 'users');
  expect([seen.notes, seen.columns.some((column) => column.masked)]).toEqual([[], false]);
});

test('the notes of a description name the columns that the user opened to clients', async () => {
  const { core, at } = await openUsers({
    columns: [],
    patterns: ['card', 'email'],
    open: ['note', 'users.email'],
  });
  const { notes } = await core.data.describe(at, 'users');
  expect(notes).toEqual([
    'Values that hold a card number or an email address show as •••, except in email, note.',
  ]);
  const contacts = await core.data.describe(at, 'contacts');
  expect(contacts.notes).toEqual(['Values that hold a card number or an email address show as •••.']);
});

test('a card number beyond 2^53 in an integer column is masked, and guards the column', async () => {
  const { core, at, id, file } = await openUsers({ columns: [], patterns: ['card'] });
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE cards (id INTEGER PRIMARY KEY, number INTEGER, other INTEGER)');
  database.exec('INSERT INTO cards VALUES (1, 4111111111111111110, 9007199254740993)');
  database.close();
  const read = (text: string, access = at) => core.data.runQuery(access, { text, limit: 9 });
  const [result] = (await read('SELECT * FROM cards')).results;
  expect(result?.kind === 'rows' && rowAt(result.rows, 0)).toEqual({
    ...{ id: 1, number: '•••', other: 9007199254740993n },
  });
  await expect(read('SELECT number + 1 FROM cards')).rejects.toMatchObject({ code: 'refused' });
  const [seen] = (await read('SELECT number FROM cards', accessTo(id, person))).results;
  expect(seen?.kind === 'rows' && rowAt(seen.rows, 0)).toEqual({ number: 4111111111111111110n });
});

test('a client cannot transform, filter or sort a column with a value that matches a pattern', async () => {
  const { core, at, id } = await openUsers({ columns: [], patterns: ['email', 'phone'] });
  const { data } = core;
  const query = (text: string) => () => data.runQuery(at, { text, limit: 9 });
  const attempts: (() => Promise<unknown>)[] = [
    query("SELECT replace(email, '@', ' at ') FROM users"),
    query('SELECT hex(email) FROM "USERS"'),
    query("SELECT id FROM users WHERE email LIKE 'a%'"),
    query('SELECT id FROM users ORDER BY email'),
    query("SELECT json_extract(extra, '$.phone') FROM users"),
    query('SELECT substr(contact, 2) FROM contacts'),
    query('CREATE VIEW v AS SELECT hex(email) FROM users'),
    () => data.browse(at, { ...all, filters: byEmail, limit: 1, offset: 0 }),
    () => data.browse(at, { ...all, sort: sortByEmail, limit: 1, offset: 0 }),
    () => data.count(at, { ...all, filters: byEmail }),
    () => Array.fromAsync(data.exportRows(at, { ...all, filters: byEmail })),
  ];
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'refused' });
  const { results } = await data.runQuery(at, {
    text: 'SELECT id, email AS e, note FROM users WHERE salary IS NULL OR salary > 1 ORDER BY id',
    limit: 9,
  });
  const [result] = results;
  expect(result?.kind === 'rows' && [rowAt(result.rows, 0), rowAt(result.rows, 1)]).toEqual([
    { id: 1, e: '•••', note: 'card 4111 1111 1111 1111' },
    { id: 2, e: null, note: 'nothing' },
  ]);
  const { columns: described } = await data.describe(at, 'users');
  expect(described.filter(({ unsortable }) => unsortable).map(({ name }) => name)).toEqual([
    'email',
    'extra',
  ]);
  expect((await data.count(accessTo(id, person), { ...all, filters: byEmail })) > 0).toBe(true);
});

test('rows that a client adds do not open a guarded column', async () => {
  const { core, at } = await openUsers({ columns: [], patterns: ['email'] });
  const changes = Array.from({ length: 50 }, (_, index) => ({
    kind: 'insert' as const,
    id: String(index),
    values: { id: -1 - index, email: 'nothing' },
  }));
  await saved(core, at, { table: 'Users', changes });
  await expect(
    core.data.runQuery(at, { text: 'SELECT hex(email) FROM users WHERE id = 1', limit: 1 }),
  ).rejects.toMatchObject({ code: 'refused' });
});

/** Attacks that worked when only the first rows of a column were checked. */
test('one value that matches a pattern, even in a late row, guards its column and not the others', async () => {
  const { core, at, file } = await openUsers({ columns: [], patterns: ['email', 'phone', 'card'] });
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT, plain TEXT, contact INTEGER, made DATE);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO notes SELECT i, iif(i = 4321, 'ask ada@lovelace.example', 'note ' || i), 'p' || i,
      iif(i = 4999, 4155552671, i), '2024-01-02' FROM n;
    CREATE VIEW coded AS SELECT id, hex(body) AS code FROM notes;
    CREATE VIRTUAL TABLE words USING fts5(body, content = 'notes', content_rowid = 'id');
    INSERT INTO words(words) VALUES ('rebuild');`);
  database.close();
  const query = (text: string) => core.data.runQuery(at, { text, limit: 9 });
  for (const text of [
    "SELECT replace(body, '@', ' at ') FROM notes",
    'SELECT hex(body) FROM "NOTES" WHERE id = 4321',
    'SELECT contact / 10 FROM notes',
    'SELECT id FROM notes WHERE contact > 4155552670',
    'SELECT max(contact) FROM notes',
    'SELECT code FROM coded',
    "SELECT rowid FROM words WHERE words MATCH 'lovelace'",
    'SELECT hex(block) FROM words_data',
    "INSERT OR IGNORE INTO notes (id, body) VALUES (1, 'x')",
    "INSERT INTO notes (id, body) VALUES (1, 'x') ON CONFLICT DO NOTHING",
    'REPLACE INTO notes (id) VALUES (1)',
  ]) {
    await expect(query(text), text).rejects.toMatchObject({ code: 'refused' });
  }
  const page = { ...all, table: 'coded', limit: 1, offset: 0 };
  await expect(core.data.browse(at, page)).rejects.toMatchObject({ code: 'refused' });
  const text =
    "SELECT id, body, contact FROM notes WHERE plain >= 'p4321' AND made > '2024' AND id IN (4321, 4999) ORDER BY plain";
  const [result] = (await query(text)).results;
  expect(result?.kind === 'rows' && [rowAt(result.rows, 0), rowAt(result.rows, 1)]).toEqual([
    { id: 4321, body: '•••', contact: 4321 },
    { id: 4999, body: 'note 4999', contact: '•••' },
  ]);
});

test('a column is checked for patterns again when rows change, and the user may open it to clients by name', async () => {
  const { core, at, id, draft } = await openUsers({ columns: [], patterns: ['email'] });
  const query = () => core.data.runQuery(at, { text: 'SELECT upper(note) FROM users', limit: 9 });
  await query();
  const values = { note: 'bob@lovelace.example' };
  await saved(core, accessTo(id), {
    table: 'users',
    changes: [{ kind: 'update', id: 'u', key: { id: 2 }, values }],
  });
  await expect(query()).rejects.toMatchObject({ code: 'refused' });
  await core.connections.update(id, {
    ...draft,
    masking: { columns: [], patterns: ['email'], open: ['users.note'] },
  });
  await query();
  const { rows } = await core.data.browse(at, { ...all, limit: 9, offset: 0 });
  expect(rowAt(rows, 1)).toMatchObject({ note: 'bob@lovelace.example' });
  expect(rowAt(rows, 0)).toMatchObject({ email: '•••' });
});

test('a text column stays guarded if its table has too many rows to check', async () => {
  const { core, at, file } = await openUsers({ columns: [], patterns: ['email'] });
  const database = new DatabaseSync(file);
  database.exec(`CREATE TABLE large (id INTEGER PRIMARY KEY, body TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200002)
    INSERT INTO large SELECT i, 'x' FROM n`);
  database.close();
  const query = (text: string) => core.data.runQuery(at, { text, limit: 1 });
  await expect(query('SELECT hex(body) FROM large')).rejects.toMatchObject({ code: 'refused' });
  expect(await query('SELECT body FROM large')).toMatchObject({ effect: 'read' });
});

test('a description leaves out masked target vectors, and refuses searches by vector if all of them are masked', () => {
  const mask = new Mask({ columns: ['Letter.body'], patterns: [] }, { driverGuards: true });
  const vector = { name: 'vector: a', type: 'vector' as const, nativeType: 'vector' };
  const column = { ...vector, nullable: true, inKey: false, operators: [] };
  const modes = [{ mode: 'near_text' as const }, { mode: 'keyword' as const }];
  const table = {
    name: 'Letter',
    kind: 'collection' as const,
    columns: [column, { ...column, name: 'vector: b' }],
    key: [],
    indexes: [],
    foreignKeys: [],
    searches: { modes, targetVectors: ['a', 'b'] },
    exampleQuery: '',
    notes: [],
  };
  const seen = (...heads: ColumnHead[]) => mask.description(table, heads).searches;
  const masked = { ...vector, masked: true };
  const refusal = 'The vectors are masked for external clients';
  expect([seen(vector), seen(masked), seen(masked, { ...masked, name: 'vector: b' })]).toEqual([
    { modes, targetVectors: ['a', 'b'] },
    { modes, targetVectors: ['b'] },
    { modes: [{ mode: 'near_text', refusal }, { mode: 'keyword' }], targetVectors: [] },
  ]);
});

test('an object that describes a phone number is masked as a whole', () => {
  const phone = { input: '0171 1234567', internationalFormatted: '+49 171 1234567', national: 1711234567 };
  const given = { objects: [{ properties: { phone, name: 'Ada' } }] };
  expect(maskJson(given, ['phone'])).toEqual({ objects: [{ properties: { phone: '•••', name: 'Ada' } }] });
  expect(maskJson(given, ['email'])).toEqual(given);
});

test('patterns apply to computed values and to error messages', async () => {
  const { core, at } = await openUsers({ columns: [], patterns: ['email', 'card'] });
  const text = "SELECT 'ada@lovelace.example' AS e, 4111111111111111 AS c";
  const { results } = await core.data.runQuery(at, { text, limit: 1 });
  expect(JSON.stringify(results)).not.toMatch(secrets);
  await expect(
    core.data.runQuery(at, { text: 'SELECT "ada@lovelace.example" FROM users', limit: 1 }),
  ).rejects.toMatchObject({ message: expect.not.stringMatching(secrets) });
});

test('without masking, a client sees the values', async () => {
  const { core, at } = await openUsers(undefined);
  const [rows] = await ways.query!(core, at);
  expect(rowAt(rows!, 0)).toMatchObject({ email: 'ada@lovelace.example', salary: 5000 });
  expect(rows!.columns[2]).toEqual({ name: 'email', type: 'text', nativeType: 'TEXT' });
});

test('masking is stored, checked, and applies from the next call on', async () => {
  const { core, id, draft, at } = await openUsers(columns);
  expect(core.connections.get(id)?.masking).toEqual(columns);
  const invalid = [
    { columns: [' '], patterns: [] },
    { columns: [], patterns: ['iban'] },
    { columns: 'email', patterns: [] },
  ];
  for (const masking of invalid) {
    await expect(
      core.connections.update(id, { ...draft, masking: masking as unknown as Masking }),
    ).rejects.toMatchObject({ code: 'invalid_argument' });
  }
  await core.connections.update(id, { ...draft, masking: { columns: [' *.name '], patterns: [] } });
  const [rows] = await ways.browse!(core, at);
  expect(rowAt(rows!, 0)).toMatchObject({ name: '•••', email: 'ada@lovelace.example' });
  const { masking: _, ...unaware } = draft;
  await core.connections.update(id, unaware);
  expect(core.connections.get(id)?.masking).toEqual({ columns: ['*.name'], patterns: [] });
  await core.connections.update(id, { ...draft, masking: { columns: [], patterns: [] } });
  expect(core.connections.get(id)?.masking).toEqual({ columns: [], patterns: [] });
});

test("a client's save cannot test whether a masked value exists, and a person's save can", async () => {
  const { core, id, at, file } = await openUsers(columns);
  const database = new DatabaseSync(file);
  database.exec('CREATE UNIQUE INDEX by_email ON users (email)');
  database.close();
  const changes = [{ kind: 'insert' as const, id: 'c', values: { email: 'ada@lovelace.example' } }];
  const save = (access: DataAccess) =>
    Array.fromAsync(core.data.applyChanges(access, { table: 'users', changes }));
  await expect(save(at)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('a constraint could reveal values of users.email'),
  });
  const reports = await save(accessTo(id));
  expect(reports.flatMap(({ outcomes }) => outcomes)).toMatchObject([
    { status: 'failed', error: { code: 'conflict' } },
  ]);
});

test('a change of masking ends a running call of a client, and not a call of a person', async () => {
  const { core, behave } = await testCore();
  const { id } = await core.connections.create(fixtureDraft);
  await core.sessions.open(accessTo(id));
  behave({ hang: ['run'] });
  const stop = new AbortController();
  const mine = core.data.runQuery(accessTo(id, person, stop.signal), { text: 'SELECT', limit: 1 });
  const theirs = core.data.runQuery(accessTo(id, client()), { text: 'SELECT', limit: 1 });
  const ended = expect(theirs).rejects.toMatchObject({
    code: 'cancelled',
    message: expect.stringContaining('has changed'),
  });
  // The draft leaves out the secret field `apiKey`. A draft with a secret would reopen the session.
  const draft = { ...fixtureDraft, fields: { host: 'db.example', auth: 'apiKey' } };
  await core.connections.update(id, { ...draft, name: 'Other name' });
  await core.connections.update(id, { ...draft, masking: { columns: ['id'], patterns: [] } });
  await ended;
  stop.abort();
  await expect(mine).rejects.toMatchObject({
    code: 'cancelled',
    message: expect.not.stringContaining('changed'),
  });
});

test('with masked columns, a driver that cannot guard columns runs no query of a client, and browsed columns are masked by their name', async () => {
  const { core } = await testCore();
  const masking: Masking = { columns: ['T.ID'], patterns: [] };
  const { id } = await core.connections.create({ ...fixtureDraft, masking });
  const at = accessTo(id, client());
  await expect(core.data.runQuery(at, { text: 'SELECT', limit: 1 })).rejects.toMatchObject({
    code: 'refused',
  });
  const { rows } = await core.data.browse(at, { ...all, table: 't', limit: 2, offset: 0 });
  expect(rows.values).toEqual([{ kind: 'cells', cells: ['•••', '•••'] }]);
  await core.data.runQuery(accessTo(id), { text: 'SELECT', limit: 1 });
});

test('personal values in the text of a schema are masked', () => {
  const mask = new Mask({ columns: [], patterns: ['email'] }, { driverGuards: true });
  const mail = 'ada@lovelace.example';
  const table = {
    name: 'users',
    kind: 'table' as const,
    comment: `Ask ${mail} first`,
    columns: [
      {
        ...{ name: 'email', type: 'text' as const, nativeType: 'TEXT', nullable: true, inKey: false },
        ...{ operators: [], defaultText: `'${mail}'`, comment: `such as ${mail}` },
      },
    ],
    key: [],
    indexes: [{ name: 'i', columns: ['email'], unique: false, detail: `WHERE email <> '${mail}'` }],
    foreignKeys: [],
    definition: `CREATE TABLE users (email TEXT DEFAULT '${mail}');`,
    exampleQuery: '',
    notes: [],
  };
  const seen = mask.description(table);
  expect(JSON.stringify(seen)).not.toContain('lovelace');
  expect(seen).toMatchObject({
    comment: 'Ask ••• first',
    definition: 'CREATE TABLE users (email TEXT DEFAULT •••',
  });
  expect(mask.summary(table).comment).toBe('Ask ••• first');
});

test.each([
  ['applied', undefined],
  ['unknown', columns],
])(
  'if a save ends without an answer, a client gets %s for a row that is as it was sent, under the mask %o',
  async (status, masking) => {
    const { core, behave } = await testCore();
    const { id } = await core.connections.create({ ...fixtureDraft, ...(masking && { masking }) });
    behave({
      fail: { applyChanges: { code: 'connection_failed', message: 'The connection was lost' } },
      settled: { a: 'applied' },
    });
    const changes = [{ kind: 'update' as const, id: 'a', key: { id: 1 }, values: { name: 'x' } }];
    const outcomes: unknown[] = [];
    const saving = (async () => {
      for await (const report of core.data.applyChanges(accessTo(id, client()), { table: 'users', changes }))
        outcomes.push(...report.outcomes);
    })();
    await expect(saving).rejects.toMatchObject({ code: 'connection_failed' });
    expect(outcomes).toMatchObject([{ id: 'a', status }]);
  },
);
