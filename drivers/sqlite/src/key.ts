import { DriverError, type RowKey } from '@trestle/driver-kit';
import { type Fragment, identifier, join, sql } from './sql.ts';
import { asciiLower, type Table } from './table.ts';
import { toStored } from './values.ts';

/** The condition for one row. Rejects a key that does not match the table. */
export function keyCondition(table: Table, key: RowKey): Fragment {
  const { name, key: described } = table.description;
  const columns = keyColumns(table, key);
  if (!columns && acceptedKeys(table).length === 0) {
    throw new DriverError({ code: 'unsupported', message: `The rows of ${name} cannot be told apart` });
  }
  if (!columns) {
    throw new DriverError({
      code: 'invalid_argument',
      message: `A row of ${name} is identified by ${described.join(', ')}, not by ${Object.keys(key).join(', ') || 'nothing'}`,
    });
  }
  return join(
    Object.values(key).map((cell, index) => sql`${identifier(columns[index]!)} = ${toStored(cell)}`),
    ' AND ',
  );
}

/** The columns that the key names, in its order. Null if they do not identify a row of the table. */
export function keyColumns(table: Table, key: RowKey): string[] | null {
  const accepted = acceptedKeys(table);
  const named = Object.keys(key).map(
    (entry) => accepted.flat().find((column) => asciiLower(column) === asciiLower(entry)) ?? entry,
  );
  const isAccepted = accepted.some(
    (columns) => columns.length === named.length && columns.every((column) => named.includes(column)),
  );
  return isAccepted ? named : null;
}

/**
 * The first row with NULL in the declared key changes the table's key to the rowid. A key that was read before that
 * still names its row, and NULL is equal to no row, so both keys are accepted.
 */
function acceptedKeys({ description, declaredKey, keyMayBeNull, rowid }: Table): string[][] {
  const others = keyMayBeNull ? [declaredKey, rowid === null ? [] : [rowid]] : [];
  return [description.key, ...others].filter((columns) => columns.length > 0);
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
