import { isDeepStrictEqual } from 'node:util';
import { type Cell, type RowSet, rowAt, type TableDescription } from '@trestle/driver-kit';
import type { Data, DataAccess } from '../types.ts';
import { columnsOf } from './copy-rows.ts';

interface Sides {
  source: TableDescription;
  from: { access: DataAccess; table: string };
  to: { access: DataAccess; table: string };
  partition: string | undefined;
  keys: Record<string, Cell>[];
}

/** Reads the rows of `keys` in the source and the copy. Returns the keys of rows that differ or are missing in the copy. */
export async function compareSample(
  data: Pick<Data, 'readCells'>,
  { source, from, to, partition, keys }: Sides,
): Promise<{ rows: number; different: string[] }> {
  if (keys.length === 0) return { rows: 0, different: [] };
  const at = { keys, exact: true, columns: columnsOf(source), ...(partition !== undefined && { partition }) };
  const [old, copied] = await Promise.all([
    data.readCells(from.access, { table: from.table, ...at }),
    data.readCells(to.access, { table: to.table, ...at }),
  ]);
  const copies = byKey(copied, source.key);
  const different: string[] = [];
  for (const [key, row] of byKey(old, source.key)) {
    if (isDeepStrictEqual(row, copies.get(key))) continue;
    different.push(source.key.map((name) => String(row[name])).join(', '));
  }
  return { rows: old.rowCount, different };
}

function byKey(rows: RowSet, key: string[]): Map<string, Record<string, Cell>> {
  return new Map(
    Array.from({ length: rows.rowCount }, (_, index) => {
      const row = rowAt(rows, index);
      // A SQLite column can have both 1 and '1'. The types keep these keys apart.
      return [JSON.stringify(key.map((name) => [typeof row[name], String(row[name])])), row];
    }),
  );
}
