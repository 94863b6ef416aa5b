import { type Cell, type Change, cellAt, type RowKey, type Session } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, connect, temporaryDatabase } from './testing/temporary-database.ts';

const songs = `CREATE TABLE songs (id TEXT PRIMARY KEY, title TEXT);
  INSERT INTO songs VALUES ('b', 'Moon'), ('a', 'River'), ('c', 'Sun');`;
const all = { table: 'songs', filters: [], match: 'all' as const, sort: [] };

test('the declared key names the rows: edits, deletes and new rows report it', async () => {
  const { session, query } = await temporaryDatabase(songs);
  expect((await session.describeTable('songs', call)).columns.map(({ name }) => name)).toEqual([
    'id',
    'title',
  ]);
  const outcomes = await save(session, [
    { kind: 'update', id: 'title', key: { id: 'a' }, values: { title: 'Stream' } },
    { kind: 'update', id: 'key', key: { id: 'b' }, values: { id: 'z' } },
    { kind: 'delete', id: 'delete', key: { id: 'c' } },
    { kind: 'insert', id: 'new', values: { id: 'd', title: 'Star' } },
    { kind: 'insert', id: 'taken', values: { id: 'a' } },
  ]);
  expect(outcomes).toMatchObject([
    { status: 'applied' },
    { status: 'applied', key: { id: 'z' } },
    { status: 'applied' },
    { status: 'applied', key: { id: 'd' } },
    { status: 'failed', error: { code: 'conflict' } },
  ]);
  expect(query('SELECT * FROM songs ORDER BY id')).toEqual([
    ['a', 'Stream'],
    ['d', 'Star'],
    ['z', 'Moon'],
  ]);
});

test('an import skips the rows whose key exists', async () => {
  const { session } = await temporaryDatabase(songs);
  const changes = ['a', 'n'].map((id) => ({ kind: 'insert' as const, id, values: { id } }));
  const outcomes = [];
  for await (const report of session.importRows!({ table: 'songs', changes, rowTimeoutMs: 10_000 }, call))
    outcomes.push(...report.outcomes);
  expect(outcomes).toEqual([
    { id: 'a', status: 'skipped', existing: true },
    { id: 'n', status: 'applied', key: { id: 'n' } },
  ]);
});

test('an export continues after a key, and reads each row once', async () => {
  const { session } = await temporaryDatabase(songs);
  expect(await exported(session)).toEqual(['b', 'a', 'c']);
  expect(await exported(session, { id: 'b' })).toEqual(['a', 'c']);
  expect(await exported(session, { id: 'c' })).toEqual([]);
});

test('after a row with NULL appears, the known keys name the same rows, and no key names the new row', async () => {
  const { session, exec, query, file } = await temporaryDatabase(songs);
  expect((await session.describeTable('songs', call)).key).toEqual(['id']);
  exec("INSERT INTO songs VALUES (NULL, 'one'), (NULL, 'two')");
  expect(await exported(session, { id: 'a' })).toEqual(['c', null, null]);
  const { rows } = await session.browse({ ...all, limit: 10, offset: 0 }, call);
  expect(rows.columns.map(({ name }) => name)).toEqual(['id', 'title']);
  const outcomes = await save(session, [
    { kind: 'update', id: 'known', key: { id: 'a' }, values: { title: 'Stream' } },
    { kind: 'update', id: 'null', key: { id: null }, values: { title: 'wrong' } },
    { kind: 'delete', id: 'null too', key: { id: null } },
    { kind: 'update', id: 'key', key: { id: 'c' }, values: { id: 'y' } },
    { kind: 'update', id: 'gone', key: { id: 'q' }, values: { title: 'wrong' } },
  ]);
  expect(outcomes).toMatchObject([
    { status: 'applied' },
    { status: 'skipped' },
    { status: 'skipped' },
    { status: 'applied', key: { id: 'y' } },
    { status: 'failed', error: { code: 'not_found' } },
  ]);
  expect((await session.describeTable('songs', call)).key).toEqual(['rowid']);
  expect(await save(session, [{ kind: 'delete', id: 'x', key: { rowid: 5 } }])).toEqual([
    { id: 'x', status: 'applied' },
  ]);
  // Another process, such as that of an export, decides for itself.
  const other = await connect(file);
  const cells = await other.readCells!(
    { table: 'songs', columns: ['title'], keys: [{ id: 'a' }, { rowid: 4 }] },
    call,
  );
  const title = cells.columns.findIndex(({ name }) => name === 'title');
  expect([0, 1].map((row) => cellAt(cells, title, row))).toEqual(['Stream', 'one']);
  await other.close();
  expect(query('SELECT id, title FROM songs ORDER BY rowid')).toEqual([
    ['b', 'Moon'],
    ['a', 'Stream'],
    ['y', 'Sun'],
    [null, 'one'],
  ]);
  exec('DELETE FROM songs WHERE id IS NULL');
  expect((await session.describeTable('songs', call)).key).toEqual(['id']);
});

test('a new row without a key is stored, and no key is reported for it', async () => {
  const { session } = await temporaryDatabase(songs);
  expect(await save(session, [{ kind: 'insert', id: 'n', values: { title: 'No key' } }])).toEqual([
    { id: 'n', status: 'applied' },
  ]);
});

test('the outcome of a crashed save is found by the keys that the save had', async () => {
  const { session, exec } = await temporaryDatabase(songs);
  exec("INSERT INTO songs VALUES (NULL, 'one')");
  const changes: Change[] = [
    { kind: 'update', id: 'stored', key: { id: 'a' }, values: { title: 'River' } },
    { kind: 'delete', id: 'there', key: { rowid: 1 } },
    { kind: 'insert', id: 'new', values: { id: 'c', title: 'Sun' } },
    { kind: 'delete', id: 'null', key: { id: null } },
  ];
  const outcomes = await session.settleChanges!({ table: 'songs', changes }, call);
  expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'failed', 'applied', 'unknown']);
});

async function save(session: Session, changes: Change[]) {
  const outcomes = [];
  for await (const report of session.applyChanges!({ table: 'songs', changes, rowTimeoutMs: 10_000 }, call))
    outcomes.push(...report.outcomes);
  return outcomes;
}

async function exported(session: Session, after?: RowKey): Promise<Cell[]> {
  const ids: Cell[] = [];
  for await (const rows of session.exportRows!({ ...all, ...(after && { after }) }, call)) {
    const id = rows.columns.findIndex(({ name }) => name === 'id');
    for (let row = 0; row < rows.rowCount; row++) ids.push(cellAt(rows, id, row));
  }
  return ids;
}
