import { type Change, DriverError, type RowKey } from '@trestle/driver-kit';
import { changeStatement, changesKey } from './change-statements.ts';
import type { Handle } from './handle.ts';
import { isCompleteKey, keyColumns, keyCondition } from './key.ts';
import { queryRows } from './query.ts';
import { type Fragment, identifier, join, sql, toText } from './sql.ts';
import type { Table } from './table.ts';
import { fromStored, type Stored } from './values.ts';

/** Applies one change, which must touch exactly one row. Returns the row's key if the change may have set it. */
export function applyChange(
  handle: Handle,
  table: Table,
  change: Change,
  exact: boolean,
): RowKey | undefined {
  const statement = changeStatement(table, change, exact);
  // The row's new key has the columns of the key that the change gives: the window knows the row by them.
  const names = change.kind === 'insert' ? table.description.key : keyColumns(table, change.key ?? {});
  const wantsKey = names !== null && names.length > 0 && changesKey(table, change, names);
  // A virtual table gets no RETURNING: SQLite refuses it in an update, and may return a wrong rowid for an insert.
  const returning = wantsKey && !table.virtual;
  const { rows, changes, rowid } = execute(
    handle,
    returning ? sql`${statement} RETURNING ${join(names.map(identifier), ', ')}` : statement,
  );
  if (changes !== 1n) throw notOneRow(handle, table, change, changes);
  if (!wantsKey) return undefined;
  if (!returning) return change.kind === 'insert' ? keyOf(names, [rowid]) : undefined;
  return keyOf(names, rows[0]!);
}

function execute(handle: Handle, statement: Fragment): { rows: Stored[][]; changes: bigint; rowid: bigint } {
  const prepared = handle.db.prepare(toText(statement));
  if (prepared.columns().length === 0) {
    const { changes, lastInsertRowid } = prepared.run(...statement.values);
    return { rows: [], changes: BigInt(changes), rowid: BigInt(lastInsertRowid) };
  }
  const rows = prepared.all(...statement.values) as unknown as Stored[][];
  return { rows, changes: BigInt(rows.length), rowid: 0n };
}

function notOneRow(handle: Handle, table: Table, change: Change, changes: bigint): DriverError {
  if (changes > 1n) {
    return new DriverError({
      code: 'conflict',
      message: `The change would touch ${changes} rows instead of one`,
    });
  }
  if (change.kind !== 'insert') {
    const from = sql`SELECT 1 FROM ${identifier(table.description.name)}`;
    if (queryRows(handle, sql`${from} WHERE ${keyCondition(table, change.key!)}`).length === 0) {
      return new DriverError({
        code: 'not_found',
        message: 'This row no longer exists',
        hint: 'Read the rows again.',
      });
    }
  }
  return new DriverError({ code: 'conflict', message: 'A trigger of the table dropped this change' });
}

/** Undefined if a cell is NULL: such a key names no row. */
function keyOf(names: string[], values: Stored[]): RowKey | undefined {
  const key = Object.fromEntries(names.map((name, index) => [name, fromStored(values[index] ?? null)]));
  return isCompleteKey(key) ? key : undefined;
}
