import type { DataAccess } from '@trestle/core';
import { type Cell, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { exportSource } from './export-source.ts';

const at: DataAccess = {
  caller: { kind: 'person' },
  connectionId: 'c',
  signal: new AbortController().signal,
};
const head = (name: string, type: 'int' | 'text' | 'number') => ({ name, type, nativeType: type });

/** Exports the rows with these ids. Rows in `gone` were deleted. */
async function exported(ids: Cell[], { gone = [] as Cell[], computed = ids.map((_, row) => row) } = {}) {
  const readCells = async (_access: DataAccess, { keys }: { keys: Record<string, Cell>[] }) =>
    rowSetFromCells(
      [head('id', 'int'), head('text', 'text')],
      keys.filter(({ id }) => !gone.includes(id!)).map(({ id }) => [id!, `text ${id}`]),
    );
  const batches = exportSource({ readCells } as never, at, {
    request: { table: 't', filters: [], match: 'all', sort: [], columns: ['text'] },
    rows: {
      kind: 'keys',
      keys: ids.map((id) => ({ id })),
      computed: { columns: [head('distance', 'number')], cells: [computed] },
    },
  });
  const rows: Cell[][] = [];
  for await (const batch of batches) {
    const columns = batch.values.map((values) => (values.kind === 'cells' ? values.cells : []));
    for (let row = 0; row < batch.rowCount; row++) rows.push(columns.map((cells) => cells[row] ?? null));
  }
  return rows;
}

test('a computed value stays with its row, also if the row’s key is 0, empty text or a large integer', async () => {
  const ids: Cell[] = [7, 0, '', 2n ** 62n];
  expect(await exported(ids)).toEqual(ids.map((id, row) => [`text ${id}`, row]));
});

test('the computed value of a deleted row is left out with the row, also in later batches', async () => {
  const ids = Array.from({ length: 450 }, (_, id) => id);
  const rows = await exported(ids, { gone: [1, 399, 400] });
  expect(rows).toHaveLength(447);
  expect(rows.every(([text, distance]) => text === `text ${distance}`)).toBe(true);
});
