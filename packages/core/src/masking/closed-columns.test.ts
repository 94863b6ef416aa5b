import { DriverError, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { CoreEvent } from '../types.ts';
import { ClosedColumns } from './closed-columns.ts';

test('if rows change while a table is read, the next call reads the table again', async () => {
  let tell: (event: CoreEvent) => void = () => {};
  const closed = new ClosedColumns({
    on(listener) {
      tell = listener;
      return () => {};
    },
  });
  let stored = 'plain';
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const link = {
    describeTable: async () => ({ name: 't', kind: 'table', columns: [{ name: 'note', type: 'text' }] }),
    classify: async () => ({ tables: ['t'] }),
    async *exportRows() {
      const value = stored;
      begun.resolve();
      await goOn.promise;
      yield rowSetFromCells([{ name: 'note', type: 'text', nativeType: 'text' }], [[value]]);
    },
  };
  const find = async () =>
    (
      await closed.find(
        { patterns: ['email'] },
        {
          connectionId: 'c',
          session: {
            use: (_: AbortSignal, call: (open: object) => unknown) => call({ session: link }),
          } as never,
          table: 't',
          call: { signal: new AbortController().signal },
        },
      )
    ).closed;
  const early = find();
  await begun.promise;
  stored = 'ada@lovelace.example';
  tell({ type: 'rowsChanged', connectionId: 'c', table: 't' });
  const late = find();
  goOn.resolve();
  expect(await early).toEqual([]);
  expect(await late).toEqual([{ table: 't', column: 'note' }]);
  expect(await find()).toEqual([{ table: 't', column: 'note' }]);
});

test('if a table was deleted after it was listed, its columns count as closed, and the other tables are still read', async () => {
  const closed = new ClosedColumns({ on: () => () => {} });
  const link = {
    classify: async () => ({}),
    listTables: async () => [{ name: 'gone' }, { name: 't' }],
    describeTable: async (name: string) => {
      if (name === 'gone') throw new DriverError({ code: 'not_found', message: 'There is no table "gone"' });
      return { name, kind: 'table', columns: [{ name: 'note', type: 'text' }] };
    },
    async *exportRows() {
      yield rowSetFromCells([{ name: 'note', type: 'text', nativeType: 'text' }], [['ada@lovelace.example']]);
    },
  };
  const session = { use: (_: AbortSignal, call: (open: object) => unknown) => call({ session: link }) };
  const found = await closed.find(
    { patterns: ['email'] },
    {
      connectionId: 'c',
      session: session as never,
      text: 'a statement that names no table',
      call: { signal: new AbortController().signal },
    },
  );
  expect(found.closed).toEqual([
    { table: 'gone', column: '*' },
    { table: 't', column: 'note' },
  ]);
});

test('if a table shows values of other tables, those are read too', async () => {
  const { find } = finder({ words: 'ada', people: 'ada@lovelace.example' }, { behind: ['words', 'people'] });
  expect(await find('words')).toEqual([{ table: 'people', column: 'note' }]);
});

test('an empty example query is not classified', async () => {
  const { find } = finder({ t: 'plain' }, { exampleQuery: '' });
  expect(await find('t')).toEqual([]);
});

/** Each table has one row and one text column, `note`. `stored` has the value of each table. */
function finder(
  stored: Record<string, string>,
  { partitioned = false, behind = [] as string[], exampleQuery = 'all' } = {},
) {
  let tell: (event: CoreEvent) => void = () => {};
  const closed = new ClosedColumns({
    on(listener) {
      tell = listener;
      return () => {};
    },
  });
  const link = {
    describeTable: async (name: string) => ({
      name,
      kind: 'table',
      columns: [{ name: 'note', type: 'text' }],
      partitioned,
      exampleQuery,
    }),
    classify: async (text: string) => {
      if (text === '') throw new Error('no query language');
      return { tables: behind };
    },
    async *exportRows({ table }: { table: string }) {
      yield rowSetFromCells([{ name: 'note', type: 'text', nativeType: 'text' }], [[stored[table]!]]);
    },
  };
  const session = { use: (_: AbortSignal, call: (open: object) => unknown) => call({ session: link }) };
  return {
    find: async (table: string) =>
      (
        await closed.find(
          { patterns: ['email'] },
          {
            connectionId: 'c',
            session: session as never,
            table,
            call: { signal: new AbortController().signal },
          },
        )
      ).closed,
    rowsChanged: () => tell({ type: 'rowsChanged', connectionId: 'c', table: 't' }),
  };
}

test('two tables whose names differ only in case are read separately', async () => {
  const { find } = finder({ ä: 'plain', Ä: 'ada@lovelace.example' });
  expect(await find('ä')).toEqual([]);
  expect(await find('Ä')).toEqual([{ table: 'Ä', column: 'note' }]);
});

test('a client cannot open a closed column by spelling its table in another case', async () => {
  const stored = { users: 'ada@lovelace.example', USERS: 'ada@lovelace.example' };
  const { find, rowsChanged } = finder(stored);
  expect(await find('users')).toEqual([{ table: 'users', column: 'note' }]);
  stored.USERS = 'plain';
  rowsChanged();
  expect(await find('USERS')).toEqual([{ table: 'USERS', column: 'note' }]);
});

test('if the partitions of a table cannot be listed, its columns stay closed', async () => {
  const { find } = finder({ t: 'plain' }, { partitioned: true });
  expect(await find('t')).toEqual([{ table: 't', column: 'note' }]);
});

test.each([
  ['a', 1],
  ['a'.repeat(300_000), 2],
])('names of columns that would fill the memory are not kept: %#', async (name, readings) => {
  const closed = new ClosedColumns({ on: () => () => {} });
  let count = 0;
  const link = {
    describeTable: async () => ({
      name: 't',
      kind: 'table',
      columns: [{ name, type: 'text' }],
      exampleQuery: '',
    }),
    async *exportRows() {
      count++;
      yield rowSetFromCells([{ name, type: 'text', nativeType: 'text' }], [['ada@lovelace.example']]);
    },
  };
  const session = { use: (_: AbortSignal, call: (open: object) => unknown) => call({ session: link }) };
  for (let time = 0; time < 2; time++) {
    const found = await closed.find(
      { patterns: ['email'] },
      {
        connectionId: 'c',
        session: session as never,
        table: 't',
        call: { signal: new AbortController().signal },
      },
    );
    expect(found.closed).toEqual([{ table: 't', column: name }]);
  }
  expect(count).toBe(readings);
});
