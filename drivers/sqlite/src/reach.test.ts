import { save } from '@trestle/driver-kit/testing';
import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

const schema = `
  CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT UNIQUE, mass REAL);
  WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
    INSERT INTO planets SELECT i, 'planet ' || i, i FROM n;
  CREATE TABLE fresh (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE pairs (a TEXT, b TEXT, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
  INSERT INTO pairs SELECT name, name, 1 FROM planets WHERE id <= 200;
  CREATE TABLE keyless ("rowid", "_rowid_", "oid");
  INSERT INTO keyless SELECT id, id, id FROM planets WHERE id <= 200;
  CREATE TABLE stubborn (id INTEGER PRIMARY KEY ON CONFLICT REPLACE, name TEXT);
  INSERT INTO stubborn SELECT id, name FROM planets;
  CREATE TABLE parents (id INTEGER PRIMARY KEY);
  CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents ON DELETE CASCADE ON UPDATE CASCADE);
  CREATE TABLE grandchildren (id INTEGER PRIMARY KEY, child INTEGER REFERENCES children ON DELETE SET NULL);
  INSERT INTO parents VALUES (1), (2), (3);
  INSERT INTO children VALUES (1, 1), (2, 1), (3, 2);
  INSERT INTO grandchildren VALUES (1, 1), (2, 2), (3, NULL);
  CREATE TABLE tree (id INTEGER PRIMARY KEY, up INTEGER REFERENCES tree ON DELETE CASCADE);
  INSERT INTO tree VALUES (1, NULL), (2, 1), (3, 2), (4, 2);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, total);
  CREATE TABLE lines (id INTEGER PRIMARY KEY, n);
  INSERT INTO orders SELECT id, 0 FROM planets WHERE id <= 10;
  INSERT INTO lines SELECT id, 0 FROM planets WHERE id <= 300;
  CREATE TRIGGER touch AFTER UPDATE ON orders BEGIN UPDATE lines SET n = n + 1; END;
  CREATE TRIGGER stamp AFTER INSERT ON fresh BEGIN UPDATE fresh SET name = upper(name) WHERE id = new.id; END;
  CREATE VIRTUAL TABLE words USING fts5(body);
  INSERT INTO words SELECT name FROM planets;
  CREATE VIRTUAL TABLE bare USING fts5(body, content = '');
  INSERT INTO bare(rowid, body) SELECT id, name FROM planets;
  CREATE VIEW heavy AS SELECT * FROM planets;
  CREATE TRIGGER heavy_delete INSTEAD OF DELETE ON heavy BEGIN DELETE FROM planets; END;
`;

test.each([
  ['DELETE FROM planets WHERE id = id', 500],
  ['UPDATE planets SET mass = 0 WHERE mass IS NOT NULL', 500],
  ['UPDATE planets SET id = -id WHERE id > 0', 500],
  ["REPLACE INTO planets SELECT id, name || '!', 0 FROM planets", 500],
  ['INSERT OR REPLACE INTO planets SELECT id + 10000, name, 0 FROM planets', 500],
  ["UPDATE OR REPLACE planets SET name = 'one' WHERE id > 0", 999],
  ['INSERT INTO planets SELECT * FROM planets WHERE 1 ON CONFLICT DO UPDATE SET mass = 0', 500],
  ['INSERT INTO stubborn SELECT id, 1 FROM planets', 500],
  ["UPDATE pairs SET v = 2 WHERE a LIKE 'planet%'", 200],
  ["REPLACE INTO pairs SELECT a, b, 3 FROM pairs WHERE a <> ''", 200],
  ['DELETE FROM keyless WHERE oid > 0', 200],
  ["DELETE FROM words WHERE words MATCH 'planet'", 500],
  ["UPDATE words SET body = 'x' WHERE rowid > 0", 500],
  ["REPLACE INTO words(rowid, body) SELECT id, 'x' FROM planets", 500],
  ['DELETE FROM heavy WHERE id = 1', 500],
  // A trigger changes the same 300 rows once for each of two orders.
  ['UPDATE orders SET total = 1 WHERE id <= 2', 302],
])('%s exceeds the reach limit: it is rolled back, and runs after an approval', async (text, rows) => {
  const { session, query } = await temporaryDatabase(schema);
  const before = dump(query);
  const refused = session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call);
  await expect(refused).rejects.toMatchObject({
    code: 'above_ceiling',
    needs: 'destroy',
    message: expect.stringContaining(`would change or delete ${rows} rows`),
  });
  expect(dump(query)).toEqual(before);
  const loss = await session.measure({ text }, call);
  expect(loss.tables.reduce((sum, table) => sum + (table.rows ?? 0), 0)).toBe(rows);
  expect(dump(query)).toEqual(before);
  await session.run({ text, ceiling: 'destroy', limit: 10, approved: loss }, call);
  expect(dump(query)).not.toEqual(before);
});

test('two rows whose keys contain line breaks are not counted as one', async () => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE pairs (a TEXT, b TEXT, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
    INSERT INTO pairs VALUES ('x', 'y' || char(10) || 'string z', 1), ('x' || char(10) || 'string y', 'z', 1);`);
  const { tables } = await session.measure({ text: 'UPDATE pairs SET v = 2 WHERE v = 1' }, call);
  expect(tables).toEqual([{ table: 'pairs', rows: 2 }]);
});

test.each([
  ['INSERT INTO fresh SELECT id, name FROM planets WHERE id > 0', 0],
  ['INSERT INTO words(body) SELECT name FROM planets WHERE id > 0', 0],
  ['DELETE FROM planets WHERE id <= 100', 100],
  ["REPLACE INTO planets SELECT id, 'new', 1 FROM planets WHERE id <= 50", 99],
  ['INSERT INTO parents VALUES (9)', 0],
  ['UPDATE children SET parent = 2 WHERE id = 1', 1],
  ['DELETE FROM tree WHERE id = 4', 1],
  ['DELETE FROM parents WHERE id = 3', 1],
  ['CREATE TABLE copy AS SELECT * FROM planets', 0],
  ['ALTER TABLE planets ADD COLUMN more', 0],
  ['CREATE INDEX by_mass ON planets (mass)', 0],
  ['ANALYZE', 0],
  ["INSERT INTO words(words) VALUES ('optimize')", 0],
  ["INSERT INTO planets VALUES (1, 'x', 1) ON CONFLICT DO NOTHING", 0],
])('%s runs under a reach limit of 100', async (text, rows) => {
  const { session } = await temporaryDatabase(schema);
  const { tables } = await session.measure({ text }, call);
  expect(tables.reduce((sum, table) => sum + (table.rows ?? 0), 0)).toBe(rows);
  await session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call);
});

test.each([
  ['DELETE FROM parents WHERE id = 1', { parents: 1, children: 2, grandchildren: 2 }],
  ['UPDATE parents SET id = 7 WHERE id = 1', { parents: 1, children: 2 }],
  ['REPLACE INTO parents VALUES (1)', { parents: 1, children: 2, grandchildren: 2 }],
  ['DELETE FROM tree WHERE id = 2', { tree: 3 }],
])('%s cascades, and is destructive even for few rows', async (text, lost) => {
  const { session, query } = await temporaryDatabase(schema);
  const before = dump(query);
  const loss = await session.measure({ text }, call);
  expect(loss.cascades).toBe(true);
  expect(Object.fromEntries(loss.tables.map(({ table, rows }) => [table, rows]))).toEqual(lost);
  const refused = session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call);
  await expect(refused).rejects.toMatchObject({
    code: 'above_ceiling',
    message: expect.stringMatching(
      /through a foreign key\), which counts as destructive\. Nothing was changed$/,
    ),
  });
  expect(dump(query)).toEqual(before);
});

test.each([
  ['DROP TABLE parents', { parents: 3, children: 3, grandchildren: 2 }],
  ['DROP TABLE words', { words: 500 }],
  ['ALTER TABLE planets DROP COLUMN mass', { planets: 500 }],
  ['DELETE FROM parents', { parents: 3, children: 3, grandchildren: 2 }],
  ['DROP VIEW heavy', {}],
  ['VACUUM', {}],
])('the measured loss of %s is %j', async (text, lost) => {
  const { session, query } = await temporaryDatabase(schema);
  const before = dump(query);
  const { tables } = await session.measure({ text }, call);
  expect(Object.fromEntries(tables.map(({ table, rows }) => [table, rows]))).toEqual(lost);
  expect(dump(query)).toEqual(before);
});

test('a table that replaced the approved one is not dropped', async () => {
  const { session, exec, query } = await temporaryDatabase(
    'CREATE TABLE scratch (a); CREATE TABLE precious (a); INSERT INTO precious VALUES (1);',
  );
  const text = 'DROP TABLE scratch';
  const approved = await session.measure({ text }, call);
  expect(approved.tables).toEqual([{ table: 'scratch', rows: 0 }]);
  exec('ALTER TABLE scratch RENAME TO old; ALTER TABLE precious RENAME TO scratch;');
  const run = () => session.run({ text, ceiling: 'destroy', limit: 1, approved }, call);
  await expect(run()).rejects.toMatchObject({
    code: 'loss_changed',
    message: 'The schema changed after the user approved the statement, so nothing was changed',
  });
  // An empty table with the name `scratch` is not dropped either, because it is not the approved table.
  exec('DELETE FROM scratch');
  await expect(run()).rejects.toMatchObject({ code: 'loss_changed' });
  expect(query('SELECT count(*) FROM scratch')).toEqual([[0n]]);
});

test('the rows of RETURNING are not returned for a statement that is undone', async () => {
  const { session, query } = await temporaryDatabase(schema);
  const text = 'DELETE FROM planets WHERE id = id RETURNING name';
  const refused = session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call);
  await expect(refused).rejects.toMatchObject({ code: 'above_ceiling' });
  expect(query('SELECT count(*) FROM planets')).toEqual([[500n]]);
});

test('a statement cannot call the function that counts its rows', async () => {
  const { session } = await temporaryDatabase(schema);
  const text = "DELETE FROM planets WHERE trestle_reached(0, 'insert', id) IS NULL";
  const refused = session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call);
  await expect(refused).rejects.toMatchObject({
    code: 'query_failed',
    message: expect.stringContaining('no such function'),
  });
});

test('if a trigger rolls the transaction back, no row is deleted', async () => {
  const { session, query } = await temporaryDatabase(
    "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2); CREATE TRIGGER g BEFORE DELETE ON t WHEN old.a = 2 BEGIN SELECT RAISE(ROLLBACK, 'no'); END;",
  );
  const run = session.run({ text: 'DELETE FROM t WHERE a > 0', ceiling: 'write', limit: 1, reach: 9 }, call);
  await expect(run).rejects.toMatchObject({ message: 'no' });
  expect(query('SELECT a FROM t')).toEqual([[1n], [2n]]);
});

test('a statement that selects its rows by a guarded column is not measured', async () => {
  const { session } = await temporaryDatabase(schema);
  const guarded = [{ table: 'planets', column: 'name' }];
  const measured = session.measure({ text: "DELETE FROM planets WHERE name > 'a'", guarded }, call);
  await expect(measured).rejects.toMatchObject({ code: 'refused' });
});

test('a save is refused if it affects more rows than the limit, or any row through a foreign key', async () => {
  const { session, query } = await temporaryDatabase(schema);
  const before = dump(query);
  const remove = (id: number, table = 'parents') =>
    save(session, { table, changes: [{ kind: 'delete', id: 'd', key: { id } }], reach: 100 });
  await expect(remove(1)).rejects.toMatchObject({
    code: 'above_ceiling',
    needs: 'destroy',
    message: expect.stringContaining('5 rows (1 of parents, 2 of children, 2 of grandchildren through'),
  });
  const stamped = { kind: 'update' as const, id: 'u', key: { id: 1 }, values: { total: 5 } };
  const update = save(session, { table: 'orders', changes: [stamped], reach: 100 });
  await expect(update).rejects.toMatchObject({ message: expect.stringContaining('301 rows') });
  expect(dump(query)).toEqual(before);
  expect(await remove(3)).toMatchObject([{ status: 'applied' }]);
  expect(await remove(4, 'tree')).toMatchObject([{ status: 'applied' }]);
});

function dump(query: (text: string) => unknown[][]): unknown {
  const tables = query(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE%' AND name NOT LIKE 'bare%' ORDER BY name",
  );
  return tables.map(([name]) => [name, query(`SELECT * FROM "${name}"`)]);
}

test.each([
  ['DELETE FROM planets WHERE id <= 7', { changed: 7, inserted: 0 }],
  ['UPDATE planets SET id = -id WHERE id BETWEEN 1 AND 9', { changed: 9, inserted: 0 }],
  ["REPLACE INTO planets SELECT id, name || '!', 0 FROM planets WHERE id < 6", { changed: 5, inserted: 0 }],
  ["REPLACE INTO planets VALUES (1, 'one', 1), (900, 'new', 1)", { changed: 1, inserted: 1 }],
  ["INSERT INTO planets VALUES (900, 'new', 1), (901, 'newer', 1)", { changed: 0, inserted: 2 }],
  [
    "INSERT INTO planets VALUES (900, 'new', 1), (1, 'x', 1) ON CONFLICT DO UPDATE SET mass = 0",
    { changed: 1, inserted: 1 },
  ],
  ['INSERT INTO planets SELECT -id, NULL, 1 FROM planets RETURNING id', { changed: 0, inserted: 500 }],
  ["INSERT INTO fresh VALUES (1, 'a'), (2, 'b')", { changed: 0, inserted: 2 }],
  ['INSERT INTO pairs SELECT id, id, 1 FROM planets WHERE id <= 3', { changed: 0, inserted: 3 }],
  ['INSERT INTO keyless SELECT id, id, id FROM planets', { changed: 0, inserted: 500 }],
  ["INSERT INTO stubborn VALUES (1, 'one'), (900, 'new')", { changed: 1, inserted: 1 }],
  ['UPDATE orders SET total = 1 WHERE id = 1', { changed: 301, inserted: 0 }],
  ['CREATE TABLE copied AS SELECT * FROM planets', { changed: 0, inserted: 501 }],
  ['CREATE TABLE empty (id)', { changed: 0, inserted: 1 }],
  ['CREATE INDEX by_mass ON planets (mass)', { changed: 0, inserted: 0 }],
  ['ALTER TABLE planets ADD COLUMN moons', { changed: 0, inserted: 0 }],
])('%s writes %j, and one row less in the budget refuses it', async (text, written) => {
  const { session } = await temporaryDatabase(schema);
  const run = (budget: typeof written) =>
    session.run({ text, ceiling: 'write', limit: 5, reach: 1_000, budget }, call);
  const rows = async () =>
    (await session.run({ text: 'SELECT * FROM planets', ceiling: 'read', limit: 1_000 }, call)).results;
  const before = await rows();
  for (const less of ['changed', 'inserted'] as const) {
    if (written[less] === 0) continue;
    await expect(run({ ...written, [less]: written[less] - 1 })).rejects.toMatchObject({
      code: 'over_budget',
      written,
    });
  }
  expect(await rows()).toEqual(before);
  expect(await run(written)).toMatchObject({ written });
});

test('the new rows of a table with a full-text index are an upper bound', async () => {
  const { session } = await temporaryDatabase(schema);
  const budget = { changed: 0, inserted: 100 };
  const text = "INSERT INTO words VALUES ('a'), ('b')";
  const { written } = await session.run({ text, ceiling: 'write', limit: 5, reach: 100, budget }, call);
  expect(written?.changed).toBe(0);
  expect(written?.inserted).toBeGreaterThanOrEqual(2);
});
