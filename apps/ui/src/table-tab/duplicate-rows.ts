import { type Cell, isCutCell, ownValue, type TableDescription } from '@trestle/driver-kit';
import type { GridNewCell } from '../panels/grid/index.ts';
import type { TableLine } from './table-lines.ts';

/**
 * New rows with the values of the given rows, staged edits included. The key is left out: the database creates one,
 * or the user types one. Columns that the description marks as hidden are left out too, and columns that are read-only
 * in a new row. A value that is not loaded, or is loaded only in part, is not copied, and `left` names its column.
 * If a value is not loaded and its column has a default, `left` does not name the column: the database fills it in.
 */
export function duplicates(
  lines: TableLine[],
  { columns, key }: Pick<TableDescription, 'columns' | 'key'>,
  stored: (line: TableLine, column: string) => Cell | undefined,
): { rows: GridNewCell[][]; left: string[] } {
  const left = new Set<string>();
  const copied = columns.filter(
    ({ name, readOnly, insertable, hidden }) =>
      !hidden && (readOnly === undefined || insertable) && !key.includes(name),
  );
  const rows = lines.map((line) =>
    copied.flatMap(({ name, deferred, defaultText }): GridNewCell[] => {
      const problem = ownValue(line.invalid, name);
      const edited = line.edited && Object.hasOwn(line.edited, name);
      const cell = edited ? line.edited?.[name] : stored(line, name);
      const isUnread = cell === undefined && deferred && line.at !== undefined && defaultText === undefined;
      if (isUnread || isCutCell(cell)) left.add(name);
      if (cell === undefined || isCutCell(cell)) return [];
      return [{ column: name, cell, ...(problem !== undefined && { problem }) }];
    }),
  );
  return { rows, left: [...left] };
}
