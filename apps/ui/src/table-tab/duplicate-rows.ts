import { type Cell, isCutCell, type TableDescription } from '@trestle/driver-kit';
import type { GridNewCell } from '../grid/index.ts';
import type { TableLine } from './table-lines.ts';

/**
 * New rows with the visible values of the given ones. The key is left out: the database creates one, or the
 * user types one. Columns that the database computes are left out too.
 */
export function duplicates(
  lines: TableLine[],
  { columns, key }: Pick<TableDescription, 'columns' | 'key'>,
  stored: (line: TableLine, column: string) => Cell | undefined,
): { rows: GridNewCell[][]; left: string[] } {
  const left = new Set<string>();
  const copied = columns.filter(
    ({ name, readOnly, hidden }) => !hidden && readOnly === undefined && !key.includes(name),
  );
  const rows = lines.map((line) =>
    copied.flatMap(({ name }): GridNewCell[] => {
      const problem = line.invalid?.[name];
      const edited = line.edited && Object.hasOwn(line.edited, name);
      const cell = edited ? line.edited?.[name] : stored(line, name);
      if (isCutCell(cell)) left.add(name);
      if (cell === undefined || isCutCell(cell)) return [];
      return [{ column: name, cell, ...(problem !== undefined && { problem }) }];
    }),
  );
  return { rows, left: [...left] };
}
