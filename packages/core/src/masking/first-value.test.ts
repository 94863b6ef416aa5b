import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { rowAt } from '@trestle/driver-kit';
import { expect, onTestFinished, test } from 'vitest';
import { newConnectionDraft } from '../index.ts';
import { accessTo, client, questions, root, temporaryFolder, testCore } from '../testing/test-core.ts';
import type { Core, DataAccess } from '../types.ts';

const mail = 'ada@lovelace.example';
const all = { filters: [], match: 'all' as const, sort: [] };
const byNote = [{ column: 'note', operator: 'starts_with' as const, value: 'a' }];

/** Tables t0, t1, … with a column `note` that holds no personal value yet. `write` is another program's connection. */
async function openTables(count: number) {
  const { core } = await testCore({ bundledDrivers: [join(root, 'dist', 'drivers', 'sqlite')] });
  const file = join(temporaryFolder(), 'notes.db');
  // A call of the client may write to the file at the same time.
  const program = new DatabaseSync(file, { timeout: 5_000 });
  onTestFinished(() => program.close());
  program.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
  for (let index = 0; index < count; index++)
    program.exec(`CREATE TABLE t${index} (id INTEGER PRIMARY KEY, note TEXT);
      INSERT INTO t${index} VALUES (1, 'plain'), (2, 'also plain')`);
  const { id } = await core.connections.create({
    ...newConnectionDraft(core.drivers.get('sqlite')!),
    name: 'Notes',
    fields: { file },
    aiPolicy: 'alwaysAllow',
    externalClients: 'readWrite',
    masking: { columns: [], patterns: ['email'] },
  });
  const write = (table: string) => program.exec(`UPDATE ${table} SET note = '${mail}' WHERE id = 1`);
  return { core, at: accessTo(id, client({ permission: 'fullAccess' })), write, program };
}

const query = (core: Core, at: DataAccess, text: string) => core.data.runQuery(at, { text, limit: 9 });

/** How often a statement races the other program. `npm run proofs` does it more often. */
const rounds = Number(process.env.TRESTLE_RACES ?? 8);

/** Each call is allowed until the first email address is in the column. */
const calls: [string, (core: Core, at: DataAccess) => Promise<unknown>][] = [
  ['an expression', (core, at) => query(core, at, 'SELECT hex(note) FROM t0')],
  ['an aggregate', (core, at) => query(core, at, 'SELECT hex(min(note)), count(DISTINCT note) FROM t0')],
  ['a filter of a statement', (core, at) => query(core, at, "SELECT id FROM t0 WHERE note LIKE 'a%'")],
  ['a sort of a statement', (core, at) => query(core, at, 'SELECT id FROM t0 ORDER BY note')],
  [
    'an error',
    (core, at) => query(core, at, "SELECT iif(note LIKE 'z%', abs(-9223372036854775808), 1) FROM t0"),
  ],
  ['a copy', (core, at) => query(core, at, 'INSERT INTO t1 (note) SELECT hex(note) FROM t0')],
  ['RETURNING', (core, at) => query(core, at, 'UPDATE t0 SET id = id WHERE id = 1 RETURNING hex(note)')],
  [
    'a filter of a page',
    (core, at) => core.data.browse(at, { ...all, table: 't0', filters: byNote, limit: 9, offset: 0 }),
  ],
  ['a filter of a count', (core, at) => core.data.count(at, { ...all, table: 't0', filters: byNote })],
  [
    'a filter of an export',
    (core, at) => Array.fromAsync(core.data.exportRows(at, { ...all, table: 't0', filters: byNote })),
  ],
  [
    'a filter of a sample',
    (core, at) =>
      Array.fromAsync(core.data.sampleRows(at, { table: 't0', filters: byNote, match: 'all', rows: 2 })),
  ],
];

test.each(calls)(
  'right after another program wrote the first email address into a column, %s of it is refused',
  async (_, attempt) => {
    const { core, at, write } = await openTables(2);
    await attempt(core, at);
    write('t0');
    await expect(attempt(core, at)).rejects.toMatchObject({ code: 'refused' });
    const { rows } = await core.data.browse(at, { ...all, table: 't0', limit: 9, offset: 0 });
    expect(rowAt(rows, 0)).toEqual({ id: 1, note: '•••' });
  },
);

test('a statement that runs while another program writes the first email address shows no part of it', async () => {
  const { core, at, write } = await openTables(rounds);
  const seen: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const text = `SELECT hex(note) FROM t${round}`;
    await query(core, at, text);
    const asking = (async () => {
      for (;;) seen.push(JSON.stringify(await query(core, at, text)));
    })().catch((error) => error);
    await delay((25 * round) / rounds);
    write(`t${round}`);
    expect(await asking).toMatchObject({ code: 'refused' });
  }
  expect(seen.filter((one) => one.includes(Buffer.from(mail).toString('hex').toUpperCase()))).toEqual([]);
});

const change = 'UPDATE t0 SET id = id WHERE id = 1 RETURNING hex(note)';

test('a change that another program precedes with the first email address shows no part of it', async () => {
  const { core, at, write } = await openTables(rounds);
  const seen: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const text = change.replace('t0', `t${round}`);
    const began = performance.now();
    await query(core, at, text);
    const took = performance.now() - began;
    const asking = (async () => {
      for (;;) seen.push(JSON.stringify(await query(core, at, text)));
    })().catch((error) => error);
    await delay((3 * took * round) / rounds);
    write(`t${round}`);
    expect(await asking).toMatchObject({ code: 'refused' });
  }
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.filter((one) => one.includes(Buffer.from(mail).toString('hex').toUpperCase()))).toEqual([]);
});

test('a destructive statement that was approved before the first email address came is judged again', async () => {
  const { core, at, write } = await openTables(1);
  core.approvals.setPresence('window');
  const text = 'DELETE FROM t0 RETURNING hex(note)';
  const running = core.data.runDestructive(at, { text });
  const [question] = await questions(core);
  write('t0');
  core.approvals.answer(question!.id, 'allow');
  await expect(running).rejects.toMatchObject({ code: 'refused' });
  expect((await core.data.browse(at, { ...all, table: 't0', limit: 9, offset: 0 })).rows.rowCount).toBe(2);
});

test('while another program changes the data all the time, changes of a client still run', async () => {
  const { core, at, program } = await openTables(2);
  let commits = 0;
  const busy = setInterval(() => {
    try {
      program.exec("UPDATE t0 SET note = 'plain' || random() WHERE id = 2");
      commits++;
    } catch {
      // The driver holds the lock.
    }
  }, 10);
  onTestFinished(() => clearInterval(busy));
  for (let time = 0; time < 10; time++) await query(core, at, change);
  expect(commits).toBeGreaterThan(0);
  const changes = [{ kind: 'update' as const, id: 'a', key: { id: 1 }, values: { note: 'new' } }];
  const reports = await Array.fromAsync(core.data.applyChanges(at, { table: 't0', changes }));
  expect(reports.flatMap(({ outcomes }) => outcomes)).toMatchObject([{ status: 'applied' }]);
});

test.each(['save', 'import'])(
  'a %s starts no trigger that compares an email address of another table',
  async (kind) => {
    const { core, at, program } = await openTables(2);
    program.exec(`CREATE TRIGGER compare BEFORE INSERT ON t1 WHEN EXISTS (SELECT 1 FROM t0 WHERE note LIKE new.note)
    BEGIN SELECT RAISE(ABORT, 'it exists'); END`);
    const insert = (note: string) => {
      const changes = [{ kind: 'insert' as const, id: 'a', values: { note } }];
      const send = kind === 'save' ? core.data.applyChanges : core.data.importRows;
      return Array.fromAsync(send(at, { table: 't1', changes }));
    };
    expect((await insert('zzz')).flatMap(({ outcomes }) => outcomes)).toMatchObject([{ status: 'applied' }]);
    program.exec(`UPDATE t0 SET note = '${mail}' WHERE id = 1`);
    await expect(insert('zzz')).rejects.toMatchObject({ code: 'refused' });
    await expect(insert('ada@%')).rejects.toMatchObject({ code: 'refused' });
  },
);

test.each([
  "SELECT hex(sql) FROM sqlite_schema WHERE name = 'people'",
  'SELECT length(sql), substr(sql, 30) FROM sqlite_master',
  "SELECT name FROM sqlite_schema WHERE sql LIKE '%ada@%'",
  'SELECT name FROM sqlite_schema ORDER BY sql',
  "SELECT hex(dflt_value) FROM pragma_table_info('people')",
  "SELECT replace(dflt_value, '@', ' at ') FROM pragma_table_xinfo('people')",
  'INSERT INTO t0 (note) SELECT hex(sql) FROM sqlite_schema',
  'UPDATE t0 SET note = (SELECT hex(sql) FROM main.sqlite_master LIMIT 1) WHERE id = 1',
  'WITH s AS (SELECT sql AS q FROM sqlite_schema) SELECT hex(q) FROM s',
])('if the schema holds an email address, a client cannot compute with its text: %s', async (text) => {
  const { core, at, program } = await openTables(1);
  await query(core, at, text);
  program.exec(`CREATE TABLE people (id INTEGER PRIMARY KEY, mail TEXT DEFAULT '${mail}')`);
  await expect(query(core, at, text)).rejects.toMatchObject({ code: 'refused' });
  const { results } = await query(core, at, 'SELECT name, sql FROM sqlite_schema');
  expect(JSON.stringify(results)).toContain('CREATE TABLE t0');
  expect(JSON.stringify(results)).toContain('people');
  expect(JSON.stringify(results)).not.toContain(mail);
});
