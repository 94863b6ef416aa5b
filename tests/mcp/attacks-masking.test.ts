import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawClient } from './raw-client.ts';
import { type RunningServer, runServer } from './running-server.ts';

/** A value that no client may learn, in a column that is masked by name. */
const secret = 'zebra4711';
let running: RunningServer;

beforeAll(async () => {
  running = await runServer();
  const file = join(running.home, 'people.db');
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, contact TEXT);
    INSERT INTO people VALUES (1, 'Ada', '${secret}'), (2, 'Grace', 'other');
    CREATE TABLE copies (id INTEGER PRIMARY KEY, contact2 TEXT, name TEXT);
    CREATE VIEW listed AS SELECT name, contact AS reach FROM people;
    CREATE INDEX people_contact ON people (contact);
    CREATE VIRTUAL TABLE found USING fts5(contact);
    INSERT INTO found VALUES ('${secret}');
  `);
  db.close();
  await running.connectSqlite('People', file, { masking: { columns: ['contact'], patterns: [] } });
});
afterAll(() => running.close());

const connection_id = 'People';

/** Each statement tries to show the value or a part of it, or to copy it to a place without a mask. */
const reveal = [
  'SELECT json_object(1, contact) FROM people',
  "SELECT json_extract(json_array(contact), '$[0]') FROM people",
  'SELECT value FROM people, json_each(json_array(contact))',
  'SELECT json_group_array(contact) FROM people',
  'SELECT group_concat(contact) FROM people',
  'SELECT max(contact) FROM people',
  'SELECT first_value(contact) OVER () FROM people',
  'SELECT lag(contact) OVER (ORDER BY id) FROM people',
  'SELECT c FROM (SELECT contact || 1 AS c FROM people)',
  'WITH p(c) AS (SELECT upper(contact) FROM people) SELECT c FROM p',
  "SELECT 'a' UNION SELECT contact || '' FROM people",
  "SELECT contact || '' FROM people EXCEPT SELECT 1",
  'SELECT unicode(contact) FROM people',
  'SELECT length(contact) FROM people',
  'SELECT substr(contact, 1, 1) FROM people',
  'SELECT hex(contact), quote(contact) FROM people',
  'SELECT CAST(contact AS BLOB) FROM people',
  'SELECT CASE WHEN 1 THEN contact || 1 END FROM people',
  'SELECT coalesce(NULL, contact) || 1 FROM people',
  'SELECT iif(1, contact, 1) || 1 FROM people',
  "SELECT printf('%s', contact) FROM people",
  "SELECT format('%q', contact) FROM people",
  "SELECT strftime(contact, 'now') FROM people",
  'SELECT reach || 1 FROM listed',
  "SELECT highlight(found, 0, '<', '>') FROM found",
  "SELECT snippet(found, 0, '<', '>', '', 5) FROM found",
  'SELECT * FROM found_content',
  'SELECT * FROM found_data',
  'SELECT hex(block) FROM found_data',
  'CREATE VIRTUAL TABLE vocab USING fts5vocab(found, row)',
  'INSERT INTO copies (contact2) SELECT contact FROM people',
  'INSERT INTO copies (contact2) SELECT contact FROM people RETURNING contact2',
  'CREATE TABLE mine AS SELECT contact AS c FROM people',
  'CREATE VIEW mine AS SELECT contact AS c FROM people',
  'CREATE TRIGGER t AFTER UPDATE ON people BEGIN INSERT INTO copies (contact2) VALUES (old.contact); END',
  'ALTER TABLE people RENAME COLUMN contact TO open',
  'ALTER TABLE people RENAME TO persons',
  'ALTER TABLE people ADD COLUMN c AS (contact || 1)',
  'UPDATE people SET name = contact WHERE id = 1 RETURNING name',
  'UPDATE copies SET name = (SELECT contact FROM people LIMIT 1) WHERE id = 1',
  'SELECT json_extract(contact, contact) FROM people',
  "SELECT json_extract('{}', contact) FROM people",
  'SELECT abs(contact), load_extension(contact) FROM people',
  "SELECT 1 FROM people WHERE 'x' REGEXP contact",
  'SELECT * FROM pragma_table_info((SELECT contact FROM people LIMIT 1))',
  'SELECT * FROM people LIMIT (SELECT length(contact) FROM people WHERE id = 1)',
  'SELECT id FROM people LIMIT 1 OFFSET (SELECT unicode(contact) - 122 FROM people WHERE id = 1)',
  'EXPLAIN SELECT * FROM people WHERE contact = name',
  'SELECT sql || (SELECT contact FROM people) FROM sqlite_schema',
  'SELECT * FROM dbstat',
  'ANALYZE',
  'SELECT sample FROM sqlite_stat4',
];

test.each(reveal)('%s does not show the masked value', async (query) => {
  for (const token of [
    running.token,
    running.createToken({ name: 'reader', permission: 'readOnly' }).secret,
  ]) {
    const { text } = await rawClient(running, token).call('execute_query', { connection_id, query });
    expect(text).not.toBe('');
    for (const form of [secret, secret.toUpperCase(), Buffer.from(secret).toString('hex').toUpperCase()]) {
      expect(text).not.toContain(form);
    }
  }
  // If the statement copied the value, the copy must be masked too.
  for (const table of ['copies', 'mine', 'persons', 'vocab']) {
    const { text } = await rawClient(running).call('browse_table', { connection_id, table });
    expect(text).not.toContain(secret);
  }
});

/** Each statement asks a yes-or-no question about the value. A right and a wrong guess must get the same answer. */
const ask: [string, (guess: string) => string][] = [
  ['a filter', (guess) => `SELECT id FROM people WHERE contact LIKE '${guess}%'`],
  ['a negated filter', (guess) => `SELECT id FROM people WHERE NOT contact <> '${guess}'`],
  ['IS NOT DISTINCT FROM', (guess) => `SELECT id FROM people WHERE contact IS NOT DISTINCT FROM '${guess}'`],
  ['a row value', (guess) => `SELECT id FROM people WHERE (contact, 1) = ('${guess}', 1)`],
  ['IN', (guess) => `SELECT id FROM people WHERE '${guess}' IN (SELECT contact FROM people)`],
  ['a join', (guess) => `SELECT p.id FROM people p JOIN (SELECT '${guess}' AS contact) USING (contact)`],
  ['a natural join', (guess) => `SELECT id FROM people NATURAL JOIN (SELECT '${guess}' AS contact)`],
  ['an order', (guess) => `SELECT id FROM people ORDER BY contact = '${guess}'`],
  ['a group', (guess) => `SELECT count(*) FROM people GROUP BY contact = '${guess}'`],
  ['HAVING', (guess) => `SELECT id FROM people GROUP BY id HAVING min(contact) = '${guess}'`],
  ['DISTINCT', (guess) => `SELECT DISTINCT contact = '${guess}' FROM people`],
  ['INTERSECT', (guess) => `SELECT contact FROM people INTERSECT SELECT '${guess}'`],
  ['a window', (guess) => `SELECT rank() OVER (ORDER BY contact = '${guess}') FROM people`],
  ['FILTER', (guess) => `SELECT count(*) FILTER (WHERE contact = '${guess}') FROM people`],
  ['a view', (guess) => `SELECT name FROM listed WHERE reach = '${guess}'`],
  ['an index hint', (guess) => `SELECT id FROM people INDEXED BY people_contact WHERE contact = '${guess}'`],
  ['MATCH', (guess) => `SELECT rowid FROM found WHERE found MATCH '${guess}*'`],
  [
    'an error',
    (guess) => `SELECT CASE WHEN contact = '${guess}' THEN abs(-9223372036854775808) END FROM people`,
  ],
  ['an update', (guess) => `UPDATE people SET name = 'Ada' WHERE contact = '${guess}'`],
  [
    'a delete',
    (guess) => `DELETE FROM copies WHERE 1 = (SELECT count(*) FROM people WHERE contact = '${guess}')`,
  ],
  [
    'an upsert',
    (guess) =>
      `INSERT INTO people VALUES (1, 'Ada', '${guess}') ON CONFLICT DO UPDATE SET name = name WHERE contact = excluded.contact`,
  ],
];

test.each(ask)('a question by %s is answered the same for a right and a wrong guess', async (_, query) => {
  const answers: string[] = [];
  for (const guess of [secret, 'nothing99']) {
    const { text } = await rawClient(running).call('execute_query', { connection_id, query: query(guess) });
    answers.push(
      text
        .replaceAll(/\d{9,}/g, '#')
        .replaceAll(guess, 'GUESS')
        .replaceAll(/\d+ ms|It took [\d.]+ s/g, ''),
    );
  }
  expect(answers[0]).toBe(answers[1]);
});

test.each([
  ['browse_table', { table: 'people', filters: [{ column: 'contact', operator: 'equals', value: secret }] }],
  [
    'browse_table',
    { table: 'people', filters: [{ column: 'CONTACT', operator: 'starts_with', value: 'z' }] },
  ],
  ['browse_table', { table: 'people', sort: [{ column: 'contact', direction: 'descending' }] }],
  ['browse_table', { table: 'listed', filters: [{ column: 'reach', operator: 'equals', value: secret }] }],
  ['browse_table', { table: 'people', columns: ['contact'] }],
  ['browse_table', { table: 'found' }],
  ['export_data', { table: 'people', format: 'json' }],
  ['export_data', { query: 'SELECT contact FROM people', format: 'csv' }],
  ['update_rows', { table: 'people', changes: [{ key: { contact: secret }, values: { name: 'x' } }] }],
  ['describe_table', { table: 'people' }],
  ['search_query_history', { query: secret }],
])('%s %j does not show the masked value in its answer or in an exported file', async (tool, args) => {
  const { text, file } = await rawClient(running).call(tool, { connection_id, ...args });
  if (file) expect(readFileSync(file, 'utf8')).not.toContain(secret);
  // If the arguments contain the secret, the answer may repeat it. Then only lines about Ada are checked.
  const isRepeated = JSON.stringify(args).includes(secret);
  const lines = text.split('\n').filter((line) => !isRepeated || line.includes('Ada'));
  expect(lines.join('\n')).not.toContain(secret);
});

/** A masked value in a table with statistics. Both files have the same schema. */
async function measured(name: string, emails: string) {
  const file = join(running.home, `${name}.db`);
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, contact TEXT, town TEXT);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO people SELECT i, 'n' || (i % 40), ${emails}, 't' || (i % 7) FROM n;
    CREATE INDEX people_contact ON people (contact, name);
    CREATE INDEX people_name ON people (name, contact);
    CREATE INDEX people_town ON people (town);
    CREATE TABLE cards (contact TEXT PRIMARY KEY);
    INSERT INTO cards VALUES ('${secret}');
    CREATE TABLE visits (id INTEGER PRIMARY KEY, who TEXT REFERENCES cards, note TEXT);
    INSERT INTO visits VALUES (1, '${secret}', 'n');
    ANALYZE;
  `);
  db.close();
  await running.connectSqlite(name, file, { masking: { columns: ['contact'], patterns: [] } });
}

test('a description tells a client nothing about masked values, also after the client inserted a guess', async () => {
  const { call } = rawClient(running);
  const guess = 'ada@love.example';
  const masks = [
    { columns: ['mail'], patterns: [] },
    { columns: [], patterns: ['email' as const] },
  ];
  for (const [at, masking] of masks.entries()) {
    const shown: string[] = [];
    for (const stored of [guess, 'eve@love.example']) {
      const name = `Orders ${at} ${stored}`;
      const file = join(running.home, `orders-${at}-${stored}.db`);
      const db = new DatabaseSync(file);
      // With a right guess, one address stands in the column, and with a wrong one two.
      db.exec(`
        CREATE TABLE orders (id INTEGER PRIMARY KEY, mail TEXT, kind TEXT);
        INSERT INTO orders (mail, kind) VALUES ('${stored}', 'a'), ('${stored}', 'b'), ('${stored}', 'b');
      `);
      db.close();
      await running.connectSqlite(name, file, { masking });
      const place = { connection_id: name, table: 'orders' };
      await call('insert_rows', { ...place, rows: [{ mail: guess, kind: 'a' }] });
      // The driver describes a table again after a change of the schema.
      await call('execute_query', { connection_id: name, query: 'CREATE TABLE more (id INTEGER)' });
      const { text, lines } = await call('describe_table', { ...place, detail: true });
      expect(lines, text).toContain('id INTEGER');
      shown.push(lines.join('\n'));
    }
    expect(shown[0]).toBe(shown[1]);
  }
});

test('the planner tells a client nothing about masked values, and a client cannot measure them', async () => {
  await measured('Different', "'a' || i");
  await measured('Equal', "'a'");
  const queries = [
    "DELETE FROM people WHERE name = 'n1' AND town = 't1'",
    "SELECT id FROM people WHERE name = 'n1' AND town = 't1'",
    'SELECT id FROM people',
    "EXPLAIN QUERY PLAN SELECT id FROM people WHERE name = 'n1' AND town = 't1'",
    "EXPLAIN QUERY PLAN DELETE FROM people WHERE name = 'n1' AND town = 't1'",
    'SELECT * FROM sqlite_stat1',
    'UPDATE sqlite_stat1 SET stat = 1',
    'ANALYZE people',
    'PRAGMA optimize',
    'PRAGMA analysis_limit = 10',
    'REINDEX people_contact',
  ];
  for (const query of queries) {
    const answers: string[] = [];
    for (const connection of ['Different', 'Equal']) {
      const { text } = await rawClient(running).call('execute_query', { connection_id: connection, query });
      answers.push(
        text
          .replaceAll(/\d{9,}/g, '#')
          .replaceAll(connection, 'NAME')
          .replaceAll(/\d+ ms/g, ''),
      );
    }
    expect(answers[0], query).toBe(answers[1]);
  }
});

test.each([
  ['execute_query', { query: 'SELECT * FROM visits' }],
  ['execute_query', { query: 'SELECT who AS note FROM visits' }],
  ['execute_query', { query: 'SELECT hex(who), upper(who) FROM visits' }],
  ['browse_table', { table: 'visits' }],
  ['export_data', { table: 'visits', format: 'json' }],
  ['describe_table', { table: 'visits' }],
])('a foreign key to a masked column shows no masked value: %s %j', async (tool, args) => {
  if (!running.core.connections.list().some(({ name }) => name === 'Different'))
    await measured('Different', "'a' || i");
  const { text, file } = await rawClient(running).call(tool, { connection_id: 'Different', ...args });
  for (const shown of [text, file ? readFileSync(file, 'utf8') : '']) {
    for (const form of [secret, secret.toUpperCase(), Buffer.from(secret).toString('hex').toUpperCase()])
      expect(shown).not.toContain(form);
  }
});

const mail = 'ada@lovelace.example';

/** Each call is allowed until the first email address is in the column. */
test.each([
  ['execute_query', { query: 'SELECT hex(note) FROM notes' }],
  ['execute_query', { query: "SELECT id FROM notes WHERE note LIKE 'ada@%'" }],
  ['execute_query', { query: 'SELECT hex(min(note)) FROM notes' }],
  ['execute_query', { query: 'UPDATE notes SET id = id WHERE id = 1 RETURNING hex(note)' }],
  ['browse_table', { table: 'notes', filters: [{ column: 'note', operator: 'starts_with', value: 'ada@' }] }],
  ['browse_table', { table: 'notes' }],
  ['export_data', { query: 'SELECT hex(note) FROM notes', format: 'csv' }],
  ['export_data', { table: 'notes', format: 'json' }],
])(
  'right after another program wrote the first email address, %s %j shows no part of it',
  async (tool, args) => {
    const name = `Notes ${randomUUID()}`;
    const path = join(running.home, `${randomUUID()}.db`);
    const db = new DatabaseSync(path);
    db.exec(
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, note TEXT); INSERT INTO notes VALUES (1, 'plain'), (2, 'x')",
    );
    await running.connectSqlite(name, path, { masking: { columns: [], patterns: ['email'] } });
    const ask = () => rawClient(running).call(tool, { connection_id: name, ...args });
    expect((await ask()).isError).not.toBe(true);
    db.exec(`UPDATE notes SET note = '${mail}' WHERE id = 1`);
    db.close();
    const { text, file } = await ask();
    for (const shown of [text, file ? readFileSync(file, 'utf8') : '']) {
      expect(shown).not.toContain('lovelace');
      expect(shown).not.toContain(Buffer.from(mail).toString('hex').toUpperCase());
    }
    if ('query' in args || 'filters' in args) expect(text).toContain('masks');
  },
);

test('a masked column of numbers is exported as CSV, and its marks are no values that the file loses', async () => {
  const file = join(running.home, 'salaries.db');
  const db = new DatabaseSync(file);
  db.exec(
    'CREATE TABLE salaries (id INTEGER PRIMARY KEY, salary INTEGER); INSERT INTO salaries VALUES (1, 900)',
  );
  db.close();
  await running.connectSqlite('Salaries', file, { masking: { columns: ['salary'], patterns: [] } });
  for (const format of ['csv', 'parquet']) {
    const args = { connection_id: 'Salaries', table: 'salaries', format };
    const { text } = await rawClient(running).call('export_data', args);
    expect(text).toMatch(/^1 row, /);
  }
});
