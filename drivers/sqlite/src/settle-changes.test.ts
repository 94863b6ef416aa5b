import type { Change } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { call, temporaryDatabase } from './testing/temporary-database.ts';

test('settling distinguishes values that differ only in case, although the column ignores case', async () => {
  const { session } = await temporaryDatabase(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, size INTEGER);
    INSERT INTO t VALUES (1, 'iron', 1), (2, 'Iron', 26);`);
  const update = (id: number): Change => ({
    kind: 'update',
    id: String(id),
    key: { id },
    values: { name: 'Iron', ...(id === 2 && { size: 26 }) },
  });
  const outcomes = await session.settleChanges!({ table: 't', changes: [update(1), update(2)] }, call);
  expect(outcomes.map(({ id, status }) => [id, status])).toEqual([
    ['1', 'failed'],
    ['2', 'applied'],
  ]);
});

test.each([
  { declared: '', options: '', statuses: ['failed', 'applied'] },
  { declared: 'BLOB', options: '', statuses: ['failed', 'applied'] },
  { declared: 'ANY', options: 'STRICT', statuses: ['failed', 'applied'] },
  { declared: 'ANY', options: '', statuses: ['applied', 'applied'] },
  { declared: 'TEXT', options: '', statuses: ['applied', 'applied'] },
])(
  'the keys 1 and "1" are one row if the column stores them as one value: type "$declared" $options, outcomes $statuses',
  async ({ declared, options, statuses }) => {
    const { session } = await temporaryDatabase(`
      CREATE TABLE t (id ${declared} NOT NULL PRIMARY KEY, name TEXT) ${options};
      INSERT INTO t VALUES ('1', 'before');
      INSERT OR REPLACE INTO t VALUES (1, 'second');`);
    const changes: Change[] = [
      { kind: 'update', id: 'a', key: { id: '1' }, values: { name: 'first' } },
      { kind: 'update', id: 'b', key: { id: 1 }, values: { name: 'second' } },
    ];
    const outcomes = await session.settleChanges!({ table: 't', changes }, call);
    expect(outcomes.map(({ status }) => status)).toEqual(statuses);
  },
);

test('if the key column is named constructor, the outcome of a new row without its key is unknown', async () => {
  const { session } = await temporaryDatabase(
    'CREATE TABLE t (constructor INTEGER NOT NULL PRIMARY KEY, name TEXT)',
  );
  const changes: Change[] = [{ kind: 'insert', id: 'a', values: { name: 'x' } }];
  const outcomes = await session.settleChanges!({ table: 't', changes }, call);
  expect(outcomes.map(({ status }) => status)).toEqual(['unknown']);
});
