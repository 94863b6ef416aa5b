import { DatabaseSync } from 'node:sqlite';
import { maskedColumn } from '@trestle/driver-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { guardedSchema } from './file-schema.ts';
import { openHandle } from './handle.ts';
import { temporaryFolder } from './testing/temporary-database.ts';

/** How many statements are compiled to find the guarded columns of a file. */
function compiledFor(schema: string): number {
  const file = `${temporaryFolder()}/test.db`;
  const db = new DatabaseSync(file);
  db.exec(schema);
  db.close();
  const handle = openHandle(file, 'ro');
  onTestFinished(() => handle.db.close());
  const prepare = vi.spyOn(handle.db, 'prepare');
  guardedSchema(handle, { guarded: maskedColumn('users.email') });
  return prepare.mock.calls.length;
}

test('without a virtual table, no view is compiled to find the guarded columns', () => {
  const table = 'CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT);';
  const views = Array.from({ length: 20 }, (_, n) => `CREATE VIEW v${n} AS SELECT id, email FROM users;`);
  expect(compiledFor(table + views.join(''))).toBe(compiledFor(table));
});

test('the name of a shadow table, up to its last underscore, is the name of its virtual table', () => {
  const file = `${temporaryFolder()}/test.db`;
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT);
    CREATE VIRTUAL TABLE found USING fts5(email, content = 'users', content_rowid = 'id');
    CREATE VIRTUAL TABLE found_pages USING fts5(body);
    CREATE VIRTUAL TABLE Found_Users USING fts5(email, content = 'users', content_rowid = 'id');
  `);
  db.close();
  const handle = openHandle(file, 'ro');
  onTestFinished(() => handle.db.close());
  const schema = guardedSchema(handle, { guarded: maskedColumn('users.email') });
  expect(
    ['found_data', 'found_pages', 'found_pages_content', 'found_users_data'].map((name) =>
      schema.problem(name),
    ),
  ).toEqual([
    'found_data holds the content of found, which may reveal masked values',
    null,
    null,
    'Found_Users_data holds the content of Found_Users, which may reveal masked values',
  ]);
});

test('an index is listed if its key or its condition may use a guarded column', () => {
  const file = `${temporaryFolder()}/test.db`;
  const db = new DatabaseSync(file);
  db.exec(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT, made TEXT, gone INTEGER);
    CREATE INDEX key ON users (made, email);
    CREATE INDEX expression ON users (lower(email));
    CREATE INDEX condition ON users (made) WHERE email > 'm';
    CREATE INDEX quoted ON users (made) WHERE "EMAIL" IS NOT NULL;
    CREATE INDEX bracketed ON users (made) WHERE length([Email]) > 3;
    CREATE INDEX by_rowid ON users (made) WHERE rowid > 3;
    CREATE INDEX plain ON users (made);
    CREATE INDEX live ON users (made) WHERE gone IS NULL;
  `);
  db.close();
  const handle = openHandle(file, 'ro');
  onTestFinished(() => handle.db.close());
  const schema = guardedSchema(handle, { guarded: maskedColumn('users.email') });
  expect(schema.indexes().sort()).toEqual([
    'bracketed',
    'by_rowid',
    'condition',
    'expression',
    'key',
    'quoted',
  ]);
});
