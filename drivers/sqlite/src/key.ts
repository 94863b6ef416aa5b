import { DriverError, type RowKey } from '@trestle/driver-kit';
import { type Fragment, identifier, join, sql } from './sql.ts';
import { findColumn, type Table } from './table.ts';
import { toStored } from './values.ts';

/** The condition for one row. Rejects a key that does not match the table. */
export function keyCondition(table: Table, key: RowKey): Fragment {
  const { name, key: columns } = table.description;
  const given = Object.keys(key);
  if (columns.length === 0) {
    throw new DriverError({ code: 'unsupported', message: `The rows of ${name} cannot be told apart` });
  }
  const named = new Set(given.map((entry) => findColumn(table, entry)?.name));
  if (given.length !== columns.length || columns.some((column) => !named.has(column))) {
    throw new DriverError({
      code: 'invalid_argument',
      message: `A row of ${name} is identified by ${columns.join(', ')}, not by ${given.join(', ') || 'nothing'}`,
    });
  }
  return join(
    given.map(
      (entry) => sql`${identifier(findColumn(table, entry)!.name)} = ${toStored(key[entry] ?? null)}`,
    ),
    ' AND ',
  );
}

export function isCompleteKey(key: RowKey | null): key is RowKey {
  return key !== null && Object.values(key).every((value) => value !== null);
}

/**
 * The condition for the rows after the row with this key, in the order of `tiebreak`. If the table has a rowid and no
 * row has the key, the condition holds for all rows.
 */
export function afterCondition(table: Table, key: RowKey): Fragment {
  const { name, key: columns } = table.description;
  if (table.rowid) {
    const rowid = identifier(table.rowid);
    const next = sql`SELECT ${rowid} + 1 FROM ${identifier(name)} WHERE ${keyCondition(table, key)}`;
    return sql`${rowid} >= coalesce((${next}), ${-(2n ** 63n)})`;
  }
  const names = join(columns.map(identifier), ', ');
  const values = join(
    columns.map((column) => sql`${toStored(key[column] ?? null)}`),
    ', ',
  );
  return sql`(${names}) > (${values})`;
}
