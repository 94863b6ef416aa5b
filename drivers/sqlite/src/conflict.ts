import { briefCell, type Change, type ChangeOutcome, isAsSeen } from '@trestle/driver-kit';
import type { Handle } from './handle.ts';
import { keyCondition } from './key.ts';
import { queryRows } from './query.ts';
import { identifier, join, sql } from './sql.ts';
import { findColumn, requireColumn, type Table } from './table.ts';
import { cutRow, fromStored, toStored } from './values.ts';

/**
 * The conflict of a change with what the row holds now; null if there is none. The caller holds the write transaction,
 * so nobody changes the row between this check and the change. The cells are read as a page reads them. A condition of
 * the statement would compare what is stored, which may be more than the user could see: a text with broken UTF-8, or
 * a number that the affinity of the column makes equal to a text.
 */
export function conflictOf(handle: Handle, table: Table, change: Change): ChangeOutcome | null {
  if (change.kind === 'insert' || !change.expected || change.key === null) return null;
  const { id, key, expected } = change;
  const columns = Object.keys(expected);
  const names = columns.map((column) => identifier(requireColumn(table, column).name));
  const from = sql`FROM ${identifier(table.description.name)} WHERE ${keyCondition(table, key)}`;
  // The window may expect a value as it sent it. The comparison converts it to the column's type, as the write did.
  const equal = columns.map(
    (column, at) => sql`${names[at]!} IS ${toStored(expected[column]!)} COLLATE BINARY`,
  );
  const [row] = queryRows(handle, sql`SELECT ${join([sql`1`, ...equal, ...names], ', ')} ${from}`).map(
    cutRow,
  );
  if (!row) return { id, status: 'conflict', theirs: null };
  const now = row.slice(1 + columns.length).map(fromStored);
  const isOther = columns.some((column, at) => {
    const cell = now[at]!;
    const isSeen = row[1 + at] === 1n || isAsSeen(cell, expected[column]!);
    return !isSeen && !isWanted(table, change, column, cell);
  });
  if (!isOther) return null;
  const theirs = Object.fromEntries(columns.map((column, at) => [column, briefCell(now[at]!)]));
  return { id, status: 'conflict', theirs };
}

/** Whether the update would store what the cell already holds. */
function isWanted(
  table: Table,
  change: Exclude<Change, { kind: 'insert' }>,
  column: string,
  cell: ReturnType<typeof fromStored>,
): boolean {
  if (change.kind === 'delete') return false;
  const { name } = requireColumn(table, column);
  const given = Object.keys(change.values).find((one) => findColumn(table, one)?.name === name);
  return given !== undefined && isAsSeen(cell, fromStored(toStored(change.values[given]!)));
}
