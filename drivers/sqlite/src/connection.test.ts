import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { save } from '@trestle/driver-kit/testing';
import { expect, onTestFinished, test } from 'vitest';
import { openHandle } from './handle.ts';
import { call, connect, temporaryDatabase, temporaryFolder } from './testing/temporary-database.ts';

test('a missing file is reported and not created', async () => {
  const file = join(temporaryFolder(), 'missing.db');
  await expect(connect(file)).rejects.toMatchObject({
    code: 'connection_failed',
    message: `Connection failed: no file at ${file}`,
    hint: expect.stringContaining('not created'),
  });
  expect(existsSync(file)).toBe(false);
});

test('if SQLite cannot open a file, the error names the file', () => {
  const file = join(temporaryFolder(), 'missing.db');
  expect(() => openHandle(file, 'ro')).toThrow(`Connection failed: unable to open database file: ${file}`);
});

test('a folder, a file that is not a database and an empty path give different errors', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'text.db'), 'not a database, just a long enough text '.repeat(30));
  mkdirSync(join(folder, 'inner'));
  await expect(connect(join(folder, 'inner'))).rejects.toMatchObject({
    message: expect.stringMatching(/^Connection failed: .*is a folder$/),
  });
  await expect(connect(join(folder, 'text.db'))).rejects.toMatchObject({
    code: 'connection_failed',
    message: 'Connection failed: file is not a database',
  });
  await expect(connect('')).rejects.toMatchObject({
    code: 'connection_failed',
    message: 'Connection failed: no database file is given',
  });
});

test('a file name may have a space, a quote, an accent and the special characters of a URL', async () => {
  const { session } = await temporaryDatabase('CREATE TABLE t (a)', "a b#c?d%20'é&mode=memory.db");
  expect(await session.listTables(call)).toEqual([{ name: 't', kind: 'table', dropText: 'DROP TABLE t' }]);
});

test('an empty file is an empty database', async () => {
  const file = join(temporaryFolder(), 'empty.db');
  writeFileSync(file, '');
  const session = await connect(file);
  onTestFinished(() => session.close());
  expect(await session.listTables(call)).toEqual([]);
});

test('a file that is deleted, ruined or replaced is noticed', async () => {
  const { session, file, folder } = await temporaryDatabase('CREATE TABLE t (a); INSERT INTO t VALUES (1);');
  expect(await session.health(call)).toEqual({});
  renameSync(file, join(folder, 'away.db'));
  await expect(session.health(call)).rejects.toMatchObject({
    code: 'connection_failed',
    message: expect.stringMatching(/^Connection failed: no file/),
  });
  await expect(
    session.run({ text: 'INSERT INTO t VALUES (2)', ceiling: 'write', limit: 1 }, call),
  ).rejects.toMatchObject({ code: 'connection_failed' });
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, 'x'.repeat(2000));
  await expect(session.health(call)).rejects.toMatchObject({
    message: 'Connection failed: file is not a database',
  });
  rmSync(file);
  const db = new DatabaseSync(file);
  db.exec('CREATE TABLE other (a)');
  db.close();
  expect(await session.health(call)).toEqual({});
  expect(await session.listTables(call)).toEqual([
    { name: 'other', kind: 'table', dropText: 'DROP TABLE other' },
  ]);
});

test('the next description of a table shows a schema change by another program', async () => {
  const { session, exec } = await temporaryDatabase('CREATE TABLE t (a)');
  expect((await session.describeTable('t', call)).columns.map((column) => column.name)).toEqual([
    'rowid',
    'a',
  ]);
  exec('ALTER TABLE t ADD COLUMN b');
  expect((await session.describeTable('T', call)).columns.map((column) => column.name)).toEqual([
    'rowid',
    'a',
    'b',
  ]);
});

test('a database with a write-ahead log is read, and the next program that opens it can remove the log', async () => {
  const { session, folder, exec } = await temporaryDatabase(
    'PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1);',
  );
  await session.run({ text: 'INSERT INTO t VALUES (2)', ceiling: 'write', limit: 1 }, call);
  expect(await session.count({ table: 't', filters: [], match: 'all' }, call)).toBe(2);
  await session.close();
  exec('SELECT 1 FROM t');
  expect(readdirSync(folder)).toEqual(['test.db']);
});

test('tables are listed although the schema has hostile or broken views and triggers', async () => {
  const { session, exec } = await temporaryDatabase(
    "CREATE TABLE t (a); INSERT INTO t VALUES ('x'); CREATE VIEW gone AS SELECT * FROM nowhere;",
  );
  exec(`CREATE VIEW reach AS SELECT load_extension('x'), a FROM t;
    CREATE TRIGGER log AFTER INSERT ON t BEGIN SELECT load_extension('x'); END;`);
  expect((await session.listTables(call)).map((table) => table.name)).toEqual(['gone', 'reach', 't']);
  expect(await session.editorSchema!(call)).toMatchObject({ tables: { gone: [], t: ['a'] } });
  await expect(session.describeTable('gone', call)).rejects.toMatchObject({ code: 'query_failed' });
  const page = { table: 'reach', filters: [], match: 'all' as const, sort: [], limit: 10, offset: 0 };
  await expect(session.browse(page, call)).rejects.toMatchObject({
    code: 'query_failed',
    message: expect.stringContaining('unsafe use'),
  });
  const changes = [{ kind: 'insert' as const, id: 'i', values: { a: 1 } }];
  expect(await save(session, { table: 't', changes })).toMatchObject([{ status: 'failed' }]);
});

test('a virtual table without its module does not hide the other tables', async () => {
  const { session, exec } = await temporaryDatabase('CREATE TABLE t (a)');
  exec(`PRAGMA writable_schema = ON;
    INSERT INTO sqlite_schema VALUES ('table', 'lost', 'lost', 0, 'CREATE VIRTUAL TABLE lost USING nowhere(a)');`);
  await session.health(call);
  expect(await session.listTables(call)).toEqual([
    { name: 'lost', kind: 'table', dropText: 'DROP TABLE lost' },
    { name: 't', kind: 'table', dropText: 'DROP TABLE t' },
  ]);
  expect(await session.editorSchema!(call)).toEqual({ language: 'sql', tables: { lost: [], t: ['a'] } });
  await expect(session.describeTable('lost', call)).rejects.toMatchObject({
    code: 'query_failed',
    message: 'no such module: nowhere',
  });
});

test('a page of a view has a row count even if the request names no columns', async () => {
  const { session } = await temporaryDatabase('CREATE VIEW v AS VALUES (1), (2)');
  const page = {
    table: 'v',
    filters: [],
    match: 'all' as const,
    sort: [],
    limit: 10,
    offset: 0,
    columns: [],
  };
  expect(await session.browse(page, call)).toEqual({ rows: { rowCount: 2, columns: [], values: [] } });
});

test('the unfinished transaction of a killed writer is rolled back, and reads work again', async () => {
  const { session, file } = await temporaryDatabase("CREATE TABLE t (a); INSERT INTO t VALUES ('x')");
  const count = () => session.count({ table: 't', filters: [], match: 'all' }, call);
  expect(await count()).toBe(1);
  const writer = spawn(process.execPath, ['-e', endlessWriter(file)], { stdio: 'ignore' });
  // The rows do not fit into SQLite's cache, so some of the unfinished transaction is already in the file.
  await expect.poll(() => statSync(file).size).toBeGreaterThan(20_000_000);
  writer.kill('SIGKILL');
  await new Promise((resolve) => writer.once('close', resolve));
  expect(existsSync(`${file}-journal`)).toBe(true);
  expect(await count()).toBe(1);
});

test('a file with the unfinished transaction of a killed writer can be opened', async () => {
  const { file } = await temporaryDatabase("CREATE TABLE t (a); INSERT INTO t VALUES ('x')");
  const writer = spawn(process.execPath, ['-e', endlessWriter(file)], { stdio: 'ignore' });
  await expect.poll(() => statSync(file).size).toBeGreaterThan(20_000_000);
  writer.kill('SIGKILL');
  await new Promise((resolve) => writer.once('close', resolve));
  const session = await connect(file);
  onTestFinished(() => session.close());
  expect(await session.count({ table: 't', filters: [], match: 'all' }, call)).toBe(1);
});

function endlessWriter(file: string): string {
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
  return `new (require('node:sqlite').DatabaseSync)(${JSON.stringify(file)})
    .exec('INSERT INTO t ${numbers} SELECT hex(randomblob(500)) FROM n')`;
}
