import { rowAt } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

const read = (text: string) => ({ text, ceiling: 'read' as const, limit: 1000 });

test('a statement that makes a value of more than 128 MB fails, so the value does not fill the memory', async () => {
  const { session } = await temporaryDatabase('CREATE TABLE t (a)');
  for (const text of ['SELECT hex(zeroblob(250000000))', "SELECT printf('%.*c', 900000000, 'x')"]) {
    await expect(session.run(read(text), call)).rejects.toMatchObject({
      code: 'query_failed',
      hint: expect.stringContaining('128 MB'),
    });
  }
});

test('a large value is cut, and a result with too many large values is truncated', async () => {
  const { session } = await temporaryDatabase('CREATE TABLE t (a)');
  const [large] = (
    await session.run(read('SELECT hex(zeroblob(5000000)) AS a, zeroblob(9000000) AS b'), call)
  ).results;
  if (large?.kind !== 'rows') throw new Error('no rows');
  expect(rowAt(large.rows, 0)).toMatchObject({
    a: expect.stringMatching(/0… ⟨cut: 10000000 characters, fingerprint [0-9a-f]{14}⟩$/),
    b: expect.stringMatching(/^⟨9000000 bytes/),
  });
  const many =
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT hex(zeroblob(2000000)) FROM n';
  const [cut] = (await session.run(read(many), call)).results;
  expect(cut).toMatchObject({ kind: 'rows', truncated: true, rows: { rowCount: 16 } });
});

test('an export of large values comes in small batches, and no value is cut', async () => {
  const { session } = await temporaryDatabase(
    'CREATE TABLE t (a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) INSERT INTO t SELECT hex(zeroblob(4500000)) FROM n',
  );
  const batches = session.exportRows!(
    { table: 't', filters: [], match: 'all', sort: [], columns: ['a'] },
    call,
  );
  const sizes: number[] = [];
  for await (const rows of batches) {
    sizes.push(rows.rowCount);
    for (let row = 0; row < rows.rowCount; row++) expect(String(rowAt(rows, row).a).length).toBe(9_000_000);
  }
  expect(sizes).toEqual([2, 2, 1]);
});

test('a large computed value is cut, and a page with too many such values is refused, even if the file is small', async () => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE n (i INTEGER PRIMARY KEY, large TEXT AS (hex(zeroblob(5000000))) VIRTUAL);
    INSERT INTO n (i) VALUES (1), (2);
    CREATE VIEW one AS SELECT hex(zeroblob(5000000)) AS large;
    CREATE VIEW many AS SELECT hex(zeroblob(4000000)) AS large FROM n, n AS b, n AS c, n AS d;`);
  const browse = (table: string) =>
    session.browse({ table, filters: [], match: 'all', sort: [], limit: 100, offset: 0 }, call);
  for (const table of ['one', 'n']) {
    const { rows } = await browse(table);
    expect(rowAt(rows, 0).large).toMatch(/0… ⟨cut: 10000000 characters, fingerprint [0-9a-f]{14}⟩$/);
  }
  await expect(browse('many')).rejects.toMatchObject({ message: 'The answer is larger than 64 MB' });
});
