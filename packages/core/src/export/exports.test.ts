import { type RowSet, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import type { Data } from '../types.ts';
import { createExports } from './exports.ts';

const { signal } = new AbortController();
const table = { name: 'fact', kind: 'table', columns: [{ name: 'id' }], key: ['id'] } as never;
const request = { connectionId: 'c', table: 'fact', filters: [], match: 'all' as const, sort: [] };

/** A table whose next rows arrive when the test says so. */
function slowTable() {
  const asked: ((rows: RowSet) => void)[] = [];
  const data = {
    describe: async () => table,
    partitions: async () => [],
    count: async () => 1,
    async *exportRows(): AsyncGenerator<RowSet> {
      for (;;) yield await new Promise<RowSet>((resolve) => asked.push(resolve));
    },
  } as unknown as Data;
  const rows = rowSetFromCells([{ name: 'id', type: 'int', nativeType: 'INT' }], [[1]]);
  return { exports: createExports(data), asked, rows };
}

test('rows that arrive after `assertOpen` began to throw are not returned', async () => {
  const { exports, asked, rows } = slowTable();
  let isOpen = true;
  const assertOpen = () => {
    if (!isOpen) throw new AppError({ code: 'forbidden', message: 'closed' });
  };
  const { id } = await exports.begin(request, signal, { assertOpen });
  const reading = exports.read(id);
  await expect.poll(() => asked.length).toBe(1);
  isOpen = false;
  asked[0]!(rows);
  await expect(reading).rejects.toThrow('closed');
  await expect(exports.read(id)).rejects.toThrow('This export has ended');
});

test('a database that cannot count exports its rows', async () => {
  const data = {
    describe: async () => table,
    partitions: async () => [],
    count: async () => Promise.reject(new AppError({ code: 'unsupported', message: 'no counts' })),
    async *exportRows() {
      yield rowSetFromCells([{ name: 'id', type: 'int', nativeType: 'INT' }], [[1]]);
    },
  } as unknown as Data;
  const exports = createExports(data);
  const { id, total } = await exports.begin(request, signal);
  expect([total, (await exports.read(id))?.rowCount, await exports.read(id)]).toEqual([null, 1, null]);
});
