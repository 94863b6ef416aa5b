import type { Change, ChangeOutcome, ImportRequest, RowKey, SaveReport } from '@trestle/driver-kit';
import { attemptOne, saveChanges } from './changes.ts';
import type { Handle } from './handle.ts';
import { keyCondition } from './key.ts';
import { queryRows } from './query.ts';
import { identifier, sql } from './sql.ts';
import { findColumn, type Table } from './table.ts';

/**
 * Inserts the rows in one transaction. If a row fails with a conflict and the table has a row with the same key, the
 * outcome is `skipped`.
 */
export function importRows(
  handle: Handle,
  request: ImportRequest,
  options: Parameters<typeof saveChanges>[2],
): Generator<SaveReport> {
  return saveChanges(handle, request, { ...options, attempt: insertNew });
}

function insertNew(handle: Handle, table: Table, change: Change, exact: boolean): ChangeOutcome {
  const outcome = attemptOne(handle, table, change, exact);
  if (outcome.error?.code !== 'conflict' || change.kind !== 'insert' || !handle.db.isTransaction)
    return outcome;
  const key = keyOf(table, change.values);
  return key && isThere(handle, table, key) ? { id: change.id, status: 'skipped', existing: true } : outcome;
}

/** Null if the table has no key, or the row's key is incomplete. */
function keyOf(table: Table, values: Record<string, unknown>): RowKey | null {
  const given = Object.entries(values).flatMap(([name, cell]) => {
    const column = findColumn(table, name);
    return column?.inKey && cell !== null ? [[column.name, cell] as const] : [];
  });
  const key = Object.fromEntries(given) as RowKey;
  const { key: columns } = table.description;
  return columns.length > 0 && columns.every((name) => Object.hasOwn(key, name)) ? key : null;
}

function isThere(handle: Handle, table: Table, key: RowKey): boolean {
  const from = sql`SELECT 1 FROM ${identifier(table.description.name)}`;
  return queryRows(handle, sql`${from} WHERE ${keyCondition(table, key)}`).length > 0;
}
