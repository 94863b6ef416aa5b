import { save } from '@trestle/driver-kit/testing';
import { expect, test } from 'vitest';
import { columnType } from './column-types.ts';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

test('a table is described with types, keys, defaults, indexes and references', async () => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE stars (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE planets (id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT 'x', star REFERENCES stars,
      mass REAL, twice GENERATED ALWAYS AS (mass * 2) STORED, UNIQUE (name, star));
    CREATE INDEX heavy ON planets (mass, upper(name)) WHERE mass > 1;`);
  const description = await session.describeTable('planets', call);
  expect(description).toMatchObject({
    name: 'planets',
    kind: 'table',
    key: ['id'],
    foreignKeys: [{ columns: ['star'], table: 'stars', references: ['id'] }],
    indexes: [
      {
        name: 'heavy',
        columns: ['mass', null],
        unique: false,
        partial: true,
        detail: 'WHERE mass > 1',
      },
      {
        name: 'sqlite_autoindex_planets_1',
        columns: ['name', 'star'],
        unique: true,
        detail: 'unique constraint',
      },
    ],
    exampleQuery: 'SELECT *\nFROM planets\nLIMIT 100;',
    definition: expect.stringMatching(/^CREATE TABLE planets .*;$/s),
  });
  expect(description.readOnly).toBeUndefined();
  expect(description.columns.map(({ operators, matching, valueForm, ...column }) => column)).toEqual([
    {
      name: 'id',
      type: 'int',
      nativeType: 'INTEGER',
      nullable: false,
      inKey: true,
      defaultText: 'the next free number',
    },
    { name: 'name', type: 'text', nativeType: 'TEXT', nullable: false, inKey: false, defaultText: "'x'" },
    { name: 'star', type: 'any', nativeType: '', nullable: true, inKey: false },
    { name: 'mass', type: 'number', nativeType: 'REAL', nullable: true, inKey: false },
    {
      name: 'twice',
      type: 'any',
      nativeType: '',
      nullable: true,
      inKey: false,
      readOnly: 'A generated column: the database computes it.',
    },
  ]);
});

test.each([
  ['CREATE TABLE t (a INTEGER PRIMARY KEY)', ['a']],
  ['CREATE TABLE t (a INTEGER PRIMARY KEY DESC)', ['a']],
  ['CREATE TABLE t (a INT PRIMARY KEY)', ['a']],
  ['CREATE TABLE t (a TEXT PRIMARY KEY)', ['a']],
  ["CREATE TABLE t (a TEXT PRIMARY KEY); INSERT INTO t VALUES ('x'), (NULL)", ['rowid']],
  ['CREATE TABLE t (a, b, PRIMARY KEY (a, b)); INSERT INTO t VALUES (1, 2), (1, 3)', ['a', 'b']],
  ['CREATE TABLE t (a, b, PRIMARY KEY (a, b)); INSERT INTO t VALUES (1, 2), (1, NULL)', ['rowid']],
  ['CREATE TABLE t (a PRIMARY KEY, rowid, _rowid_, oid)', ['a']],
  ['CREATE TABLE t (a PRIMARY KEY, rowid, _rowid_, oid); INSERT INTO t DEFAULT VALUES', []],
  ['CREATE TABLE t (a TEXT NOT NULL PRIMARY KEY)', ['a']],
  ['CREATE TABLE t (a TEXT PRIMARY KEY) STRICT', ['a']],
  ['CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID', ['a']],
  ['CREATE TABLE t (a, b, c, PRIMARY KEY (c, a)) WITHOUT ROWID', ['c', 'a']],
  ['CREATE TABLE t (ROWID, a)', ['_rowid_']],
  ['CREATE TABLE t (rowid, _rowid_, a)', ['oid']],
  ['CREATE TABLE t (rowid, _rowid_, oid)', []],
  ['CREATE TABLE t (rowid INTEGER PRIMARY KEY)', ['rowid']],
  ['CREATE VIEW t AS SELECT 1 AS a', []],
  ['CREATE VIRTUAL TABLE t USING fts5(a)', ['rowid']],
])('%s is keyed by %j', async (definition, key) => {
  const { session } = await temporaryDatabase(definition);
  const description = await session.describeTable('t', call);
  expect(description.key).toEqual(key);
  expect(
    description.columns
      .filter((column) => column.inKey)
      .map((column) => column.name)
      .sort(),
  ).toEqual([...key].sort());
  expect(description.readOnly?.update === undefined).toBe(key.length > 0);
  await session.run({ text: description.exampleQuery, ceiling: 'read', limit: 1 }, call);
});

test('the structure shows a trigger whose definition has the name of the table in another case', async () => {
  const { session } = await temporaryDatabase(
    'CREATE TABLE t (a); CREATE TRIGGER g AFTER INSERT ON T BEGIN SELECT 1; END;',
  );
  const { sections } = await session.describeStructure!('t', call);
  expect(sections.map(({ title }) => title)).toContain('Triggers');
});

test('the structure shows a primary key that may contain NULL, and the rules of each foreign key', async () => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE p (a PRIMARY KEY, b, UNIQUE (a, b));
    CREATE TABLE t (k TEXT PRIMARY KEY, a REFERENCES p ON DELETE CASCADE, b,
      FOREIGN KEY (a, b) REFERENCES p (a, b) ON UPDATE SET NULL);`);
  const { sections } = await session.describeStructure!('t', call);
  expect(sections.find(({ title }) => title === 'Columns')).toMatchObject({
    rows: [
      ['k', 'TEXT', 'primary key', true, '', ''],
      ['a', '', '', true, '', ''],
      ['b', '', '', true, '', ''],
    ],
  });
  expect(sections.find(({ title }) => title === 'Foreign keys')).toMatchObject({
    rows: [
      ['a, b', 'p (a, b)', 'set null', 'no action'],
      ['a', 'p (a)', 'no action', 'cascade'],
    ],
  });
});

test.each([
  [`CREATE INDEX i ON t ("where", 'where' || a)`, undefined],
  [`CREATE INDEX i ON t (a) /* where */`, undefined],
  [`CREATE INDEX "not where" ON t (a) WHERE a <> 'where'`, "WHERE a <> 'where'"],
])('the detail of %s is its WHERE clause, if it has one', async (text, detail) => {
  const { session } = await temporaryDatabase(`CREATE TABLE t (a, "where"); ${text};`);
  const { indexes } = await session.describeTable('t', call);
  expect(indexes.map((index) => index.detail)).toEqual([detail]);
});

test('internal tables are not listed', async () => {
  const { session } = await temporaryDatabase(
    'CREATE TABLE "sqliteish" (a INTEGER PRIMARY KEY AUTOINCREMENT); CREATE VIRTUAL TABLE f USING fts5(a); ANALYZE; CREATE VIEW v AS SELECT 1;',
  );
  expect(await session.listTables(call)).toEqual([
    { name: 'f', kind: 'table', dropText: 'DROP TABLE f' },
    { name: 'sqliteish', kind: 'table', dropText: 'DROP TABLE sqliteish' },
    { name: 'v', kind: 'view', dropText: 'DROP VIEW v' },
  ]);
});

test.each([
  'order',
  'a b',
  'q"uote',
  "it's",
  'semi;colon',
  '--',
  '🪐',
  'select',
  '[x]',
  'sqlite',
  'a`b',
  '%',
])('a table and its column named %s can be counted, browsed, queried and updated', async (name) => {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const { session } = await temporaryDatabase(
    `CREATE TABLE ${quoted} (${quoted} TEXT); INSERT INTO ${quoted} VALUES ('v');`,
  );
  const filters = [{ column: name, operator: 'equals' as const, value: 'v' }];
  const request = {
    table: name,
    filters,
    match: 'all' as const,
    sort: [{ column: name, order: 'asc' as const }],
  };
  expect(await session.count(request, call)).toBe(1);
  expect((await session.browse({ ...request, limit: 5, offset: 0 }, call)).rows.rowCount).toBe(1);
  const { exampleQuery } = await session.describeTable(name, call);
  expect(await session.run({ text: exampleQuery, ceiling: 'read', limit: 5 }, call)).toMatchObject({
    results: [{ rows: { rowCount: 1 } }],
  });
  const changes = [{ kind: 'update' as const, id: 'u', key: { rowid: 1 }, values: { [name]: 'w' } }];
  expect(await save(session, { table: name, changes })).toEqual([{ id: 'u', status: 'applied' }]);
});

test.each([
  ['INTEGER', 'int'],
  ['int', 'int'],
  ['BIGINT', 'int'],
  ['UNSIGNED BIG INT', 'int'],
  ['INT(11)', 'int'],
  ['BOOLEAN', 'int'],
  ['FLOATING POINT', 'any'],
  ['VARCHAR(255)', 'text'],
  ['CHARINT', 'any'],
  ['DOUBLE PRECISION', 'number'],
  ['DECIMAL(10,5)', 'number'],
  ['BLOB', 'bytes'],
  ['DATETIME', 'any'],
  ['JSON', 'any'],
  ['', 'any'],
  ['ANY', 'any'],
])('a column declared as "%s" has the type %s', (declared, type) => {
  expect(columnType(declared)).toBe(type);
});

test('the grouped count uses a column with few values that is not mostly empty, else the first text column', async () => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, subtitle TEXT NOT NULL DEFAULT '', language TEXT);
    INSERT INTO books (title, subtitle, language) VALUES
      ('A', 'x', 'en'), ('B', 'y', 'en'), ('C', '', 'de'), ('D', '', 'de'), ('E', '', 'fr');
    CREATE TABLE empty (name TEXT, kind TEXT);
    CREATE VIEW titles AS SELECT title FROM books;`);
  const counts = async (table: string) => (await session.describeTable(table, call)).countQuery;
  expect(await counts('books')).toBe('SELECT language, count(*) FROM books GROUP BY language;');
  expect(await counts('empty')).toBe('SELECT name, count(*) FROM empty GROUP BY name;');
  expect(await counts('titles')).toBe('SELECT title, count(*) FROM titles GROUP BY title;');
});
