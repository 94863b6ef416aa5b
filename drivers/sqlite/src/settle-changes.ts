import type { Change, ChangeOutcome, ChangeSet, DriverErrorDetails, RowKey } from '@trestle/driver-kit';
import type { Handle } from './handle.ts';
import { isCompleteKey, keyColumns, keyCondition } from './key.ts';
import { queryRows } from './query.ts';
import { requireTable } from './schema.ts';
import { type Fragment, identifier, join, sql } from './sql.ts';
import { findColumn, requireColumn, type Table } from './table.ts';
import { toStored } from './values.ts';

/**
 * Finds out how a save ended if the driver host exited during the commit. The commit stored all changes or none. So if
 * a row has several changes, the last change decides for all of them.
 */
export function settleChanges(handle: Handle, { table: name, changes }: ChangeSet): ChangeOutcome[] {
  const table = requireTable(handle, name);
  const last = new Map<string, boolean>();
  const outcomes = changes.toReversed().map((change): ChangeOutcome => {
    const key = keyAfter(table, change);
    if (!key) return { id: change.id, status: 'unknown' };
    const row = rowName(table, key);
    const isDone = last.get(row) ?? holds(handle, table, change, key);
    // Earlier changes may name the row by its old key, so the outcome is stored under that key too.
    for (const other of [row, change.kind === 'update' && change.key ? rowName(table, change.key) : row]) {
      if (!last.has(other)) last.set(other, isDone);
    }
    return outcomeOf(change, key, isDone);
  });
  return outcomes.toReversed();
}

/** Whether the change is stored: the row has the new values, or, after a delete, does not exist. */
function holds(handle: Handle, table: Table, change: Change, key: RowKey): boolean {
  const named = keyCondition(table, key);
  const isThere = (condition: Fragment) =>
    queryRows(handle, sql`SELECT 1 FROM ${identifier(table.description.name)} WHERE ${condition} LIMIT 1`)
      .length > 0;
  if (change.kind === 'delete') return !isThere(named);
  // In a comparison, SQLite converts the value to the column's type, as in a write. COLLATE BINARY is
  // needed because a column's own collation, such as NOCASE, may treat "a" as "A".
  const values = Object.entries(change.values).map(
    ([column, cell]) =>
      sql`${identifier(requireColumn(table, column).name)} IS ${toStored(cell)} COLLATE BINARY`,
  );
  return isThere(join([named, ...values], ' AND '));
}

/** The row's key after the change. Null if the change does not contain the whole key. */
function keyAfter(table: Table, change: Change): RowKey | null {
  const before = change.kind === 'insert' || change.key === null ? {} : change.key;
  const columns = change.kind === 'insert' ? insertedKey(table) : keyColumns(table, before);
  if (!columns || columns.length === 0) return null;
  const given = change.kind === 'delete' ? {} : change.values;
  const key = { ...before };
  for (const [name, cell] of Object.entries(given)) {
    const column = requireColumn(table, name).name;
    if (columns.includes(column)) key[column] = cell;
  }
  return columns.every((name) => Object.hasOwn(key, name)) && isCompleteKey(key) ? key : null;
}

/** The columns that can identify a new row. The rowid cannot: the database chose it. */
function insertedKey({ description, keyMayBeNull, declaredKey }: Table): string[] {
  return keyMayBeNull ? declaredKey : description.key;
}

/** A text for the row of this key. The keys 1 and '1' have the same text if they name the same row. */
function rowName(table: Table, key: RowKey): string {
  const names = keyColumns(table, key) ?? [];
  const parts = names.toSorted().map((name) => {
    const stored = toStored(key[name] ?? null);
    // The description has no column for the rowid if another key identifies its rows.
    const { nativeType, type } = findColumn(table, name) ?? { nativeType: 'INTEGER', type: 'int' };
    // A column without a type, of type BLOB, or of type ANY in a STRICT table, stores 1 and '1' as different values.
    // Columns of other types store both as the same value.
    const isKept = (table.strict ? /^ANY$/i : /^$/).test(nativeType) || type === 'bytes';
    return [isKept && typeof stored === 'string', String(stored)];
  });
  return JSON.stringify(parts);
}

function outcomeOf(change: Change, key: RowKey, isDone: boolean): ChangeOutcome {
  const { id, kind } = change;
  if (isDone) return { id, status: 'applied', ...(kind === 'insert' && { key }) };
  return { id, status: 'failed', error: undone(kind) };
}

function undone(kind: Change['kind']): DriverErrorDetails {
  const state = {
    insert: 'no row with this key holds these values',
    update: 'the row does not hold these values',
    delete: 'the row is still there',
  }[kind];
  return { code: 'query_failed', message: `Not saved; ${state}`, hint: 'Save again.' };
}
