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
  guardedSchema(handle, maskedColumn('users.email'));
  return prepare.mock.calls.length;
}

test('without a virtual table, no view is compiled to find the guarded columns', () => {
  const table = 'CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT);';
  const views = Array.from({ length: 20 }, (_, n) => `CREATE VIEW v${n} AS SELECT id, email FROM users;`);
  expect(compiledFor(table + views.join(''))).toBe(compiledFor(table));
});
