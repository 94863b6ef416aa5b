import { type Cell, rowSetFromCells, type TableDescription } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import type { Data, DataAccess } from '../types.ts';
import { compareSample } from './compare-sample.ts';

const columns = ['a', 'b', 'note'].map((name) => ({
  name,
  type: 'text' as const,
  nativeType: 'TEXT',
  nullable: true,
  inKey: name !== 'note',
  operators: [],
}));
const source = { name: 'Old', kind: 'table', key: ['a', 'b'], columns } as unknown as TableDescription;

async function compare(old: Cell[][], copied: Cell[][]) {
  const data = {
    readCells: async (_access: DataAccess, { table }: { table: string }) =>
      rowSetFromCells(columns, table === 'Old' ? old : copied),
  } as unknown as Pick<Data, 'readCells'>;
  const access = {} as DataAccess;
  const from = { access, table: 'Old' };
  const to = { access, table: 'New' };
  return compareSample(data, { source, from, to, partition: undefined, keys: [{ a: 'any' }] });
}

test.each([
  [
    ['a, b', 'c'],
    ['a', 'b, c'],
  ],
  [
    [1, 'x'],
    ['1', 'x'],
  ],
])('rows whose keys look alike are each compared with their own copy: %#', async (one, other) => {
  const rows = [
    [...one, 'first'],
    [...other, 'second'],
  ];
  expect(await compare(rows, rows.toReversed())).toEqual({ rows: 2, different: [] });
  const changed = [[...one, 'changed'], rows[1]!];
  expect(await compare(rows, changed)).toEqual({ rows: 2, different: [one.join(', ')] });
  expect(await compare(rows, rows.slice(1))).toEqual({ rows: 2, different: [one.join(', ')] });
});
