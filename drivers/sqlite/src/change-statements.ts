import { type Cell, type Change, DriverError } from '@trestle/driver-kit';
import { keyCondition } from './key.ts';
import { type Fragment, identifier, join, sql } from './sql.ts';
import { keepsApart, requireColumn, type Table } from './table.ts';
import { type Stored, toStored } from './values.ts';

/** The statement for one change. An update or a delete must have a complete key. */
export function changeStatement(table: Table, change: Change, exact = false): Fragment {
  const name = identifier(table.description.name);
  // A constraint's own ON CONFLICT could replace another row, or silently drop this one. OR ABORT overrides it.
  const or = table.resolvesConflicts ? sql` OR ABORT` : sql``;
  switch (change.kind) {
    case 'insert': {
      const columns = writtenColumns(table, change.values, exact);
      if (columns.length === 0) return sql`INSERT${or} INTO ${name} DEFAULT VALUES`;
      const values = columns.map(({ value }) => sql`${value}`);
      return sql`INSERT${or} INTO ${name} (${join(
        columns.map((column) => column.name),
        ', ',
      )}) VALUES (${join(values, ', ')})`;
    }
    case 'update': {
      const columns = writtenColumns(table, change.values, exact);
      if (columns.length === 0) {
        throw new DriverError({ code: 'invalid_argument', message: 'The update changes no column' });
      }
      const settings = columns.map((column) => sql`${column.name} = ${column.value}`);
      return sql`UPDATE${or} ${name} SET ${join(settings, ', ')} WHERE ${keyCondition(table, change.key!)}`;
    }
    case 'delete':
      return sql`DELETE FROM ${name} WHERE ${keyCondition(table, change.key!)}`;
  }
}

/** Whether the change may set the row's key, which has these columns. */
export function changesKey(table: Table, change: Change, key: string[]): boolean {
  if (change.kind !== 'update') return change.kind === 'insert';
  return Object.keys(change.values).some((name) => key.includes(requireColumn(table, name).name));
}

function writtenColumns(
  table: Table,
  values: Record<string, Cell>,
  exact: boolean,
): { name: Fragment; value: Stored }[] {
  const seen = new Set<string>();
  return Object.entries(values).map(([given, cell]) => {
    const column = requireColumn(table, given);
    if (column.readOnly !== undefined) {
      throw new DriverError({
        code: 'invalid_argument',
        message: `The column ${column.name} cannot be written. ${column.readOnly}`,
      });
    }
    if (seen.has(column.name)) {
      throw new DriverError({
        code: 'invalid_argument',
        message: `The column ${column.name} is given twice, in different spellings`,
      });
    }
    seen.add(column.name);
    return {
      name: identifier(column.name),
      value: toStored(cell, { exact: exact && keepsApart(table, column) }),
    };
  });
}
