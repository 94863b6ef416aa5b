import { type Change, rowSetFromCells, type SaveReport } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import type { Data, ProgramRights } from '../types.ts';
import { assertPartition } from './assert-partition.ts';
import { createImports } from './imports.ts';

const { signal } = new AbortController();
const table = { name: 'fact', kind: 'table', columns: [], key: ['id'] } as never;

/** A table that has every row already. */
function fullTable({ onInsert = () => {}, failing }: { onInsert?: () => void; failing?: string } = {}) {
  const updated: string[] = [];
  const data = {
    describe: async () => table,
    partitions: async () => [],
    async *importRows(_access: unknown, { changes }: { changes: Change[] }): AsyncGenerator<SaveReport> {
      onInsert();
      yield { sent: [], outcomes: changes.map(({ id }) => ({ id, status: 'skipped', existing: true })) };
    },
    async *applyChanges(_access: unknown, { changes }: { changes: Change[] }): AsyncGenerator<SaveReport> {
      updated.push(...changes.map(({ id }) => id));
      yield {
        sent: [],
        outcomes: changes.map(({ id }) => ({ id, status: id === failing ? 'failed' : 'applied' })),
      };
    },
    readCells: async () => rowSetFromCells([], []),
  } as unknown as Data;
  return { imports: createImports(data), updated };
}

const rightsTo = (given: Partial<ProgramRights>): ProgramRights => ({
  assertOpen: () => {},
  mostReplaced: () => 10,
  reserve: async (amount) => ({ amount, settle: () => {} }),
  ...given,
});

const rows = (...ids: string[]) => ids.map((id) => ({ id, values: { id, text: 'new' } }));

test('an import stops before it replaces more rows than its limit, counted over all batches', async () => {
  const { imports, updated } = fullTable();
  const target = { connectionId: 'c', table: 'fact', replace: true, rows: 1 };
  const { id } = await imports.begin(target, signal, rightsTo({ mostReplaced: () => 2 }));
  expect(await imports.send(id, rows('1'), signal)).toEqual({ outcomes: [{ id: '1', status: 'replaced' }] });
  expect(await imports.send(id, rows('2', '3'), signal)).toMatchObject({
    outcomes: [],
    stopped: { code: 'refused', message: expect.stringContaining('more than 2 rows, the reach limit') },
  });
  expect(updated).toEqual(['1']);
  // The rows of the refused batch do not count towards the limit.
  expect(await imports.send(id, rows('2'), signal)).toEqual({ outcomes: [{ id: '2', status: 'replaced' }] });
});

test('an import without a limit replaces every row that exists', async () => {
  const { imports, updated } = fullTable();
  const { id } = await imports.begin({ connectionId: 'c', table: 'fact', replace: true }, signal);
  await imports.send(id, rows('1', '2', '3'), signal);
  expect(updated).toEqual(['1', '2', '3']);
});

test('a limit that is lowered while the import runs applies to the next batch', async () => {
  const { imports, updated } = fullTable();
  let most = 10;
  const rights = rightsTo({ mostReplaced: () => most });
  const target = { connectionId: 'c', table: 'fact', replace: true };
  const { id } = await imports.begin(target, signal, rights);
  await imports.send(id, rows('1', '2'), signal);
  most = 2;
  expect(await imports.send(id, rows('3'), signal)).toMatchObject({ stopped: { code: 'refused' } });
  expect(updated).toEqual(['1', '2']);
});

test('replaced rows are taken from the hour before they are sent, and those that failed are given back', async () => {
  const log: unknown[] = [];
  const { imports } = fullTable({ failing: '2' });
  const { id } = await imports.begin(
    { connectionId: 'c', table: 'fact', replace: true },
    signal,
    rightsTo({
      async reserve(amount) {
        log.push(amount);
        if (log.length > 2) throw new AppError({ code: 'refused', message: 'The hour is over' });
        return { amount, settle: (written) => log.push(written) };
      },
    }),
  );
  await imports.send(id, rows('1', '2', '3'), signal);
  expect(log).toEqual([
    { changed: 3, inserted: 0 },
    { changed: 2, inserted: 0 },
  ]);
  expect(await imports.send(id, rows('4'), signal)).toMatchObject({
    outcomes: [],
    stopped: { code: 'refused', message: 'The hour is over' },
  });
});

test('no row is replaced if the user takes the rights away while the rows are inserted', async () => {
  let isOpen = true;
  const { imports, updated } = fullTable({
    onInsert: () => {
      isOpen = false;
    },
  });
  const assertOpen = () => {
    if (!isOpen) throw new AppError({ code: 'forbidden', message: 'closed' });
  };
  const target = { connectionId: 'c', table: 'fact', replace: true };
  const { id } = await imports.begin(target, signal, rightsTo({ assertOpen }));
  const sent = await imports.send(id, rows('1'), signal);
  expect(sent).toEqual({ outcomes: [], stopped: { code: 'forbidden', message: 'closed' } });
  expect(updated).toEqual([]);
});

test('rows are refused after their import has ended', async () => {
  const { imports } = fullTable();
  const { id } = await imports.begin({ connectionId: 'c', table: 'fact', replace: false }, signal);
  imports.end(id);
  expect(await imports.send(id, rows('1'), signal)).toEqual({
    outcomes: [],
    stopped: { code: 'not_found', message: 'This import has ended', hint: 'Run it again.' },
  });
});

test('a missing, unknown or unneeded tenant is refused with a hint for the window and for the command line', async () => {
  const data = { partitions: async () => [] };
  const hintOf = (partitioned: boolean, partition?: string) =>
    assertPartition(data, {} as never, {
      table: { name: 'fact', partitioned } as never,
      partition,
      gives: 'takes no rows',
    }).then(
      () => undefined,
      ({ hint }: AppError) => hint,
    );
  const choose = 'Choose one of its tenants. On the command line, name it with --tenant.';
  expect(await hintOf(true)).toBe(choose);
  expect(await hintOf(true, 'gone')).toBe(choose);
  expect(await hintOf(false, 'north')).toBe('Choose no tenant. On the command line, leave --tenant out.');
});
