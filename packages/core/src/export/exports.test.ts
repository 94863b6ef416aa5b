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

test('a program does not get rows that arrive after the user took its rights away', async () => {
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
