import { save } from '@trestle/driver-kit/testing';
import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

const schema = `
  CREATE TABLE many (id INTEGER PRIMARY KEY, n INTEGER UNIQUE, word TEXT);
  WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 500)
    INSERT INTO many SELECT i, i, 'word' || i FROM c;
  CREATE TABLE pairs (a TEXT PRIMARY KEY, n INTEGER UNIQUE) WITHOUT ROWID;
  INSERT INTO pairs SELECT word, n FROM many;
  CREATE TABLE stubborn (id INTEGER PRIMARY KEY, n INTEGER UNIQUE ON CONFLICT REPLACE);
  INSERT INTO stubborn SELECT id, n FROM many;
  CREATE TABLE calls (id INTEGER PRIMARY KEY, n INTEGER);
  INSERT INTO calls VALUES (1, 0);
  CREATE VIEW v AS SELECT id, n, word FROM many;
  CREATE VIEW outer_v AS SELECT * FROM v;
  CREATE VIRTUAL TABLE words USING fts5(body);
  INSERT INTO words(rowid, body) SELECT id, word FROM many;
  CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1);
  INSERT INTO boxes SELECT id, id, id FROM many;
  CREATE VIRTUAL TABLE bare USING fts5(body, content = '');
  INSERT INTO bare(rowid, body) SELECT id, word FROM many;
  CREATE VIRTUAL TABLE outside USING fts5(word, content = 'many', content_rowid = 'id');
  INSERT INTO outside(outside) VALUES ('rebuild');
`;

const cascade = `
  CREATE TABLE child (id INTEGER PRIMARY KEY, many INTEGER REFERENCES many (id) ON DELETE CASCADE);
  INSERT INTO child SELECT id, id FROM many;
`;

const intoView = 'INSERT INTO v SELECT id, n, word FROM many WHERE id > 0';

function insteadOf(event: string, body: string): string {
  return `CREATE TRIGGER v_trigger INSTEAD OF ${event} ON v BEGIN ${body}; END;`;
}

/** Through a trigger, each statement changes or deletes more than a hundred rows, or cascades. */
const attacks: [name: string, more: string, text: string][] = [
  [
    'INSERT OR REPLACE',
    insteadOf('INSERT', "INSERT OR REPLACE INTO many VALUES (new.id, new.n, '!')"),
    intoView,
  ],
  ['REPLACE INTO', insteadOf('INSERT', "REPLACE INTO many VALUES (new.id, new.n, '!')"), intoView],
  [
    'REPLACE by a unique column that is not the key',
    insteadOf('INSERT', "INSERT OR REPLACE INTO many VALUES (new.id + 1000, new.n, '!')"),
    intoView,
  ],
  [
    'REPLACE in a table without rowid, by a unique column that is not the key',
    insteadOf('INSERT', "INSERT OR REPLACE INTO pairs VALUES (new.word || '!', new.n)"),
    intoView,
  ],
  ['UPDATE OR REPLACE', insteadOf('INSERT', 'UPDATE OR REPLACE many SET n = 1 WHERE id = new.id'), intoView],
  [
    'REPLACE in a trigger on UPDATE',
    insteadOf('UPDATE', "REPLACE INTO many VALUES (old.id, old.n, '!')"),
    'UPDATE v SET word = 1 WHERE id > 0',
  ],
  [
    'REPLACE in a trigger on DELETE',
    insteadOf('DELETE', "REPLACE INTO many VALUES (old.id, old.n, '!')"),
    'DELETE FROM v WHERE id > 0',
  ],
  [
    'one inserted row that replaces many rows',
    insteadOf('INSERT', "REPLACE INTO many SELECT id, n, '!' FROM many"),
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'UPSERT',
    insteadOf(
      'INSERT',
      "INSERT INTO many VALUES (new.id, new.n, '!') ON CONFLICT (id) DO UPDATE SET word = excluded.word",
    ),
    intoView,
  ],
  [
    'UPSERT by a unique column that is not the key',
    insteadOf(
      'INSERT',
      "INSERT INTO many VALUES (NULL, new.n, '!') ON CONFLICT DO UPDATE SET word = excluded.word",
    ),
    intoView,
  ],
  ['OR IGNORE', insteadOf('INSERT', 'UPDATE OR IGNORE many SET n = -n WHERE id = new.id'), intoView],
  ['OR FAIL', insteadOf('INSERT', 'UPDATE OR FAIL many SET n = -n WHERE id = new.id'), intoView],
  ['OR ABORT', insteadOf('INSERT', 'UPDATE OR ABORT many SET n = -n WHERE id = new.id'), intoView],
  ['OR ROLLBACK', insteadOf('INSERT', 'UPDATE OR ROLLBACK many SET n = -n WHERE id = new.id'), intoView],
  [
    'a constraint with ON CONFLICT REPLACE',
    insteadOf('INSERT', 'INSERT INTO stubborn VALUES (new.id + 1000, new.n)'),
    intoView,
  ],
  [
    'the conflict clause of the statement',
    insteadOf('INSERT', "INSERT INTO many VALUES (new.id, new.n, '!')"),
    intoView.replace('INSERT', 'INSERT OR REPLACE'),
  ],
  [
    'a view on a view',
    `CREATE TRIGGER outer_trigger INSTEAD OF INSERT ON outer_v BEGIN INSERT INTO v VALUES (new.id, new.n, new.word); END;
     ${insteadOf('INSERT', "REPLACE INTO many VALUES (new.id, new.n, '!')")}`,
    intoView.replace('v', 'outer_v'),
  ],
  [
    'a table trigger that writes to the view',
    `CREATE TRIGGER called AFTER UPDATE ON calls BEGIN ${intoView}; END;
     ${insteadOf('INSERT', "REPLACE INTO many VALUES (new.id, new.n, '!')")}`,
    'UPDATE calls SET n = 1 WHERE id = 1',
  ],
  [
    'a view trigger that starts a table trigger',
    `CREATE TRIGGER called AFTER INSERT ON calls BEGIN REPLACE INTO many SELECT id, n, '!' FROM many; END;
     ${insteadOf('INSERT', 'INSERT INTO calls VALUES (NULL, 1)')}`,
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'the conflict clause of a trigger, which also applies in the triggers that it fires',
    `CREATE TRIGGER called AFTER INSERT ON calls BEGIN INSERT INTO many SELECT id, n, '!' FROM many; END;
     ${insteadOf('INSERT', 'INSERT OR REPLACE INTO calls VALUES (NULL, 1)')}`,
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'rows that are replaced, then deleted',
    insteadOf('INSERT', "REPLACE INTO many VALUES (new.id, new.n, '!'); DELETE FROM many WHERE id = new.id"),
    intoView,
  ],
  [
    'a trigger AFTER DELETE that ends with RAISE(IGNORE)',
    `CREATE TRIGGER ended AFTER DELETE ON many BEGIN SELECT RAISE(IGNORE); END;
     ${insteadOf('INSERT', 'DELETE FROM many WHERE id = new.id')}`,
    intoView,
  ],
  [
    'a trigger AFTER INSERT that ends with RAISE(IGNORE)',
    `CREATE TRIGGER ended AFTER INSERT ON many BEGIN SELECT RAISE(IGNORE); END;
     ${insteadOf('INSERT', "REPLACE INTO many VALUES (new.id, new.n, '!')")}`,
    intoView,
  ],
  [
    'UPDATE of a full-text table',
    insteadOf('INSERT', "UPDATE words SET body = '' WHERE rowid = new.id"),
    intoView,
  ],
  [
    'UPDATE of a full-text table by a trigger on a table',
    "CREATE TRIGGER called AFTER UPDATE ON calls BEGIN UPDATE words SET body = ''; END;",
    'UPDATE calls SET n = 1 WHERE id = 1',
  ],
  [
    'REPLACE in a full-text table',
    insteadOf('INSERT', "REPLACE INTO words(rowid, body) VALUES (new.id, '')"),
    intoView,
  ],
  ['DELETE from a full-text table', insteadOf('INSERT', 'DELETE FROM words WHERE rowid = new.id'), intoView],
  [
    'DELETE from a full-text table that gets as many new rows',
    insteadOf('INSERT', "DELETE FROM words WHERE rowid = new.id; INSERT INTO words(body) VALUES ('')"),
    intoView,
  ],
  ['UPDATE of an R*Tree', insteadOf('INSERT', 'UPDATE boxes SET x0 = 0 WHERE id = new.id'), intoView],
  ['REPLACE in an R*Tree', insteadOf('INSERT', 'REPLACE INTO boxes VALUES (new.id, 0, 1)'), intoView],
  [
    'a command that empties a full-text table',
    insteadOf('INSERT', "INSERT INTO bare(bare) VALUES ('delete-all')"),
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'a command that empties a full-text table, by a trigger on a table',
    "CREATE TRIGGER called AFTER UPDATE ON calls BEGIN INSERT INTO bare(bare) VALUES ('delete-all'); END;",
    'UPDATE calls SET n = 1 WHERE id = 1',
  ],
  [
    'a command that empties a full-text index',
    insteadOf('INSERT', "INSERT INTO outside(outside) VALUES ('delete-all')"),
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'a command that is a value of the statement',
    insteadOf('INSERT', 'INSERT INTO bare(bare) VALUES (new.word)'),
    "INSERT INTO v VALUES (1, 1, 'delete-all')",
  ],
  [
    'a command for many rows',
    insteadOf('INSERT', "INSERT INTO bare(bare, rowid, body) SELECT 'delete', id, word FROM many"),
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'a command in a second row of VALUES',
    insteadOf('INSERT', "INSERT INTO outside(outside) VALUES ('optimize'), ('delete-all')"),
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'deleted entries of a full-text table that gets as many new entries',
    insteadOf(
      'INSERT',
      "INSERT INTO bare(bare, rowid, body) VALUES ('delete', new.id, new.word); INSERT INTO bare(rowid, body) VALUES (new.id, '')",
    ),
    intoView,
  ],
  [
    'REPLACE that cascades',
    `${cascade} ${insteadOf('INSERT', "REPLACE INTO many VALUES (new.id, new.n, '!')")}`,
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'REPLACE that cascades, by a unique column that is not the key',
    `${cascade} ${insteadOf('INSERT', "REPLACE INTO many VALUES (new.id + 1000, new.n, '!')")}`,
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'DELETE that cascades',
    `${cascade} ${insteadOf('INSERT', 'DELETE FROM many WHERE id = new.id')}`,
    "INSERT INTO v VALUES (1, 1, '')",
  ],
  [
    'a cascade that starts a trigger',
    `${cascade} CREATE TRIGGER called AFTER DELETE ON child BEGIN INSERT INTO outer_v VALUES (1, 1, ''); END;
     CREATE TRIGGER outer_trigger INSTEAD OF INSERT ON outer_v BEGIN REPLACE INTO pairs SELECT a, n FROM pairs; END;
     ${insteadOf('INSERT', 'DELETE FROM many WHERE id = new.id')}`,
    "INSERT INTO v VALUES (1, 1, '')",
  ],
];

const stored = [
  'many',
  'pairs',
  'stubborn',
  'calls',
  'words',
  'boxes',
  "outside WHERE outside MATCH 'word*'",
  "(SELECT rowid FROM bare WHERE bare MATCH 'word*')",
];

test.each(attacks)('a trigger cannot hide a destructive change: %s', async (_, more, text) => {
  const { session, query } = await temporaryDatabase(`${schema} ${more}`);
  const held = () => stored.map((table) => String(query(`SELECT * FROM ${table}`)));
  const before = held();
  await expect(session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call)).rejects.toMatchObject({
    code: 'above_ceiling',
    needs: 'destroy',
  });
  expect(held()).toEqual(before);
  const approved = await session.measure({ text }, call);
  expect(held()).toEqual(before);
  await session.run({ text, ceiling: 'destroy', limit: 10, approved }, call);
});

const tree = `
  CREATE TABLE tree (id INTEGER PRIMARY KEY, up INTEGER REFERENCES tree ON DELETE CASCADE, n INTEGER);
  INSERT INTO tree VALUES (1, NULL, 0), (2, 1, 0), (3, 2, 0), (4, 2, 0);
  CREATE TABLE loose (id INTEGER PRIMARY KEY, up INTEGER REFERENCES loose ON DELETE SET NULL);
  INSERT INTO loose VALUES (1, NULL), (2, 1), (3, 2), (4, 2);
`;

/** Each statement cascades inside one table. It also writes many other rows, which must not hide the cascade. */
const cascades: [name: string, more: string, text: string][] = [
  [
    'rows that are deleted with a replaced row',
    '',
    'REPLACE INTO tree SELECT id + 100, NULL, 0 FROM many WHERE id < 50 UNION ALL SELECT 1, NULL, 0',
  ],
  [
    'rows that a replaced row leaves without a parent',
    '',
    'REPLACE INTO loose SELECT id + 100, NULL FROM many WHERE id < 50 UNION ALL SELECT 2, NULL',
  ],
  [
    'a trigger on a view',
    insteadOf('INSERT', 'DELETE FROM tree WHERE id = new.id AND id = 1'),
    'INSERT INTO v SELECT id, n, word FROM many WHERE id < 50',
  ],
  [
    'REPLACE in a trigger on a view',
    insteadOf('INSERT', 'REPLACE INTO tree VALUES (new.id + 1, NULL, 0)'),
    'INSERT INTO v SELECT id, n, word FROM many WHERE id < 50',
  ],
  [
    'a trigger on a table',
    'CREATE TRIGGER called AFTER UPDATE ON many BEGIN DELETE FROM tree WHERE id = new.id AND id = 1; END;',
    'UPDATE many SET word = 1 WHERE id < 50',
  ],
];

test.each(cascades)(
  'a cascade inside one table is refused, although many other rows are written: %s',
  async (_, more, text) => {
    const { session, query } = await temporaryDatabase(`${schema} ${tree} ${more}`);
    const held = () => [query('SELECT * FROM tree'), query('SELECT * FROM loose')];
    const before = held();
    await expect(session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call)).rejects.toMatchObject({
      code: 'above_ceiling',
      message: expect.stringContaining('through a foreign key'),
    });
    expect(held()).toEqual(before);
  },
);

test.each([
  ['', 'REPLACE INTO tree VALUES (4, 2, 1)'],
  ['', 'INSERT INTO tree VALUES (1, NULL, 1) ON CONFLICT DO UPDATE SET n = 1'],
  [
    'CREATE TRIGGER called AFTER UPDATE ON calls BEGIN UPDATE tree SET n = n + 1; END;',
    'UPDATE calls SET n = 1 WHERE id = 1',
  ],
])('a statement without a cascade runs: %s %s', async (more, text) => {
  const { session } = await temporaryDatabase(`${schema} ${tree} ${more}`);
  await session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call);
});

test('rows that a trigger on a view replaces are counted', async () => {
  const { session } = await temporaryDatabase(
    `${schema} ${insteadOf('INSERT', "REPLACE INTO many VALUES (new.id, new.n, '!')")}`,
  );
  expect(await session.measure({ text: intoView }, call)).toMatchObject({
    tables: [{ table: 'many', rows: 500 }],
    cascades: false,
  });
});

test('a save cannot exceed the reach limit by a trigger that writes to a view', async () => {
  const { session, query } = await temporaryDatabase(
    `${schema} CREATE TRIGGER called AFTER UPDATE ON calls BEGIN ${intoView}; END;
     ${insteadOf('INSERT', "REPLACE INTO many VALUES (new.id, new.n, '!')")}`,
  );
  const update = { kind: 'update' as const, id: 'u', key: { id: 1 }, values: { n: 5 } };
  await expect(save(session, { table: 'calls', changes: [update], reach: 100 })).rejects.toMatchObject({
    code: 'above_ceiling',
    message: expect.stringContaining('501 rows (1 of calls, 500 of many)'),
  });
  expect(query("SELECT count(*) FROM many WHERE word = '!'")).toEqual([[0n]]);
});

/** Triggers that keep a full-text table up to date. Those with commands are in SQLite's documentation of FTS5. */
const synced = {
  'by commands': `
    CREATE TRIGGER ai AFTER INSERT ON many BEGIN INSERT INTO outside(rowid, word) VALUES (new.id, new.word); END;
    CREATE TRIGGER ad AFTER DELETE ON many BEGIN
      INSERT INTO outside(outside, rowid, word) VALUES ('delete', old.id, old.word); END;
    CREATE TRIGGER au AFTER UPDATE ON many BEGIN
      INSERT INTO outside(outside, rowid, word) VALUES ('delete', old.id, old.word);
      INSERT INTO outside(rowid, word) VALUES (new.id, new.word); END;`,
  'by statements': `
    CREATE TRIGGER ai AFTER INSERT ON many BEGIN INSERT INTO words(rowid, body) VALUES (new.id, new.word); END;
    CREATE TRIGGER ad AFTER DELETE ON many BEGIN DELETE FROM words WHERE rowid = old.id; END;
    CREATE TRIGGER au AFTER UPDATE ON many BEGIN UPDATE words SET body = new.word WHERE rowid = old.id; END;`,
};

test.each(Object.entries(synced))(
  'small changes and many new rows are not refused if triggers keep a full-text table up to date %s',
  async (_, more) => {
    const { session } = await temporaryDatabase(`${schema} ${more}`);
    for (const text of [
      "UPDATE many SET word = 'new' WHERE id < 5",
      'DELETE FROM many WHERE id < 5',
      'INSERT INTO many SELECT id + 1000, n + 1000, word FROM many WHERE id > 0',
    ])
      await session.run({ text, ceiling: 'write', limit: 10, reach: 100 }, call);
    const changes = Array.from({ length: 200 }, (_, i) => ({
      kind: 'insert' as const,
      id: `${i}`,
      values: { id: i + 5000, n: i + 5000, word: 'new' },
    }));
    const outcomes = await save(session, { table: 'many', changes, reach: 100 });
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['applied']));
  },
);
