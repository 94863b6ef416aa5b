import { briefCell, type Cell, type Change, cutCell, maxCellBytes, rowAt } from '@trestle/driver-kit';
import { save } from '@trestle/driver-kit/testing';
import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

const values = [
  "''",
  "'a'",
  "'A'",
  "'5'",
  '5',
  '-1',
  '2.5',
  '9007199254740993',
  '-9223372036854775808',
  '1e300',
  '9e999',
  'NULL',
  "x'00ff'",
  "x''",
  "'Žluťoučký 🪐'",
  "'a' || char(0) || 'b'",
  "CAST(x'ff41' AS TEXT)",
];

/** A table with a row for each value, and the row as a page shows it. */
async function seeded(columns: string, encoding = 'UTF-8', list = values) {
  const database = await temporaryDatabase(
    `PRAGMA encoding = '${encoding}'; CREATE TABLE t (id INTEGER PRIMARY KEY, ${columns}, done TEXT);
     ${list.map((value, id) => `INSERT INTO t (id, v) VALUES (${id}, ${value});`).join('\n')}`,
  );
  const { session } = database;
  const request = { table: 't', filters: [], match: 'all' as const, sort: [], limit: 1000, offset: 0 };
  const page = (await session.browse(request, call)).rows;
  const shown = list.map((_, row) => rowAt(page, row));
  const change = (id: number, expected: Record<string, Cell>): Change => {
    return { kind: 'update', id: String(id), key: { id }, values: { done: 'mine' }, expected };
  };
  const statuses = async (expected: (id: number) => Record<string, Cell>) => {
    const changes = list.map((_, id) => change(id, expected(id)));
    return (await save(session, { table: 't', changes })).map(({ status }) => status);
  };
  return { ...database, shown, change, statuses };
}

test.each([
  ['without a type, UTF-8', 'v', 'UTF-8'],
  ['without a type, UTF-16', 'v', 'UTF-16le'],
  ['TEXT without case', 'v TEXT COLLATE NOCASE', 'UTF-8'],
  ['INTEGER', 'v INTEGER', 'UTF-8'],
  ['REAL', 'v REAL', 'UTF-16be'],
  ['BLOB', 'v BLOB', 'UTF-8'],
])('a value is compared exactly as a page showed it: %s', async (_, columns, encoding) => {
  const { shown, statuses } = await seeded(columns, encoding);
  expect(await statuses((id) => ({ v: shown[id]!.v! }))).toEqual(values.map(() => 'applied'));
  const found: string[] = [];
  for (const [other, { v }] of shown.entries()) {
    const all = await statuses(() => ({ v: v! }));
    for (const [id, status] of all.entries()) {
      const isSame = JSON.stringify(exactly(shown[id]!.v!)) === JSON.stringify(exactly(v!));
      if ((status === 'applied') !== isSame)
        found.push(`${values[id]} expected as ${values[other]}: ${status}`);
    }
  }
  expect(found).toEqual([]);
});

const exactly = (cell: Cell) => [typeof cell, cell instanceof Uint8Array ? [...cell] : String(cell)];

test('a text that the page cut is compared whole, at the end too', async () => {
  const large = 'x'.repeat(maxCellBytes + 1);
  const { shown, change, session, exec } = await seeded('v', 'UTF-8', [`'${large}'`]);
  const changes = [change(0, { v: briefCell(cutCell(shown[0]!.v!)) })];
  expect(await save(session, { table: 't', changes })).toEqual([{ id: '0', status: 'applied' }]);
  exec(`UPDATE t SET v = '${large.slice(1)}y'`);
  const [outcome] = await save(session, { table: 't', changes });
  expect(outcome).toMatchObject({ status: 'conflict', theirs: { v: briefCell(`${large.slice(1)}y`) } });
  expect(JSON.stringify(outcome).length).toBeLessThan(2_000);
});

test('columns with the names of object members are compared', async () => {
  const { session, exec, query } = await temporaryDatabase(
    "CREATE TABLE t (id INTEGER PRIMARY KEY, __proto__, \"constructor\"); INSERT INTO t VALUES (1, 'a', 'b')",
  );
  const named = (text: string) => JSON.parse(text) as Record<string, Cell>;
  const changes: Change[] = [
    {
      ...{ kind: 'update', id: 'u', key: { id: 1 } },
      values: named('{"__proto__": "mine"}'),
      expected: named('{"__proto__": "a", "constructor": "b"}'),
    } as Change,
  ];
  exec("UPDATE t SET __proto__ = 'theirs'");
  const [outcome] = await save(session, { table: 't', changes });
  expect([outcome!.status, Object.entries(outcome!.theirs!)]).toEqual([
    'conflict',
    [
      ['__proto__', 'theirs'],
      ['constructor', 'b'],
    ],
  ]);
  exec("UPDATE t SET __proto__ = 'a'");
  expect(await save(session, { table: 't', changes })).toEqual([{ id: 'u', status: 'applied' }]);
  expect(query('SELECT * FROM t')).toEqual([[1n, 'mine', 'b']]);
});

test('a change is compared with the row after the earlier changes of its save, triggers included', async () => {
  const { session } = await temporaryDatabase(`CREATE TABLE t (id INTEGER PRIMARY KEY, n, m);
    INSERT INTO t VALUES (1, 1, 1), (2, 1, 1);
    CREATE TRIGGER c AFTER UPDATE ON t WHEN new.id = 1 BEGIN UPDATE t SET m = 5 WHERE id = 2; END;`);
  const update = (id: number, expected: Record<string, Cell>): Change => {
    return { kind: 'update', id: `${id}`, key: { id }, values: { n: 2 }, expected };
  };
  const changes = [update(1, { n: 1 }), update(2, { n: 1, m: 1 })];
  expect(await save(session, { table: 't', changes })).toEqual([
    { id: '1', status: 'applied' },
    { id: '2', status: 'conflict', theirs: { n: 1, m: 5 } },
  ]);
});

test('an expected value of a guarded column, or of one that is made from it, is refused before anything is compared', async () => {
  const { session, query } = await temporaryDatabase(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, open, secret, part AS (substr(secret, 1, 1)));
    INSERT INTO t VALUES (1, 'a', 'zebra');`);
  const guarded = [{ table: '*', column: 'secret' }];
  for (const column of ['secret', 'SECRET', 'part']) {
    for (const cell of ['zebra', 'z', 'wrong']) {
      const expected = { [column]: cell };
      for (const change of [
        { kind: 'update', id: 'u', key: { id: 1 }, values: { open: 'b' }, expected },
        { kind: 'delete', id: 'd', key: { id: 1 }, expected },
      ] as Change[]) {
        const saving = save(session, { table: 't', changes: [change], guarded });
        await expect(saving).rejects.toMatchObject({ code: 'refused' });
      }
    }
  }
  expect(query('SELECT open FROM t')).toEqual([['a']]);
  const changes: Change[] = [
    { kind: 'update', id: 'u', key: { id: 1 }, values: { secret: 'new' }, expected: { open: 'a' } },
  ];
  expect(await save(session, { table: 't', changes, guarded })).toEqual([{ id: 'u', status: 'applied' }]);
});
