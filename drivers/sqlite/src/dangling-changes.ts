import type { Change, ChangeOutcome, ForeignKeyDescription, RowKey } from '@trestle/driver-kit';
import type { Handle } from './handle.ts';
import { isCompleteKey, keyCondition } from './key.ts';
import { queryRows } from './query.ts';
import { type Fragment, identifier, join, sql } from './sql.ts';
import { requireColumn, type Table } from './table.ts';
import { toStored } from './values.ts';

/**
 * The applied changes that broke a deferred foreign key. SQLite checks such a key only at the commit, and does not name
 * the row. Runs in the transaction whose commit failed. Empty if no single change is at fault, such as a change of a
 * trigger.
 */
export function danglingChanges(
  handle: Handle,
  table: Table,
  changes: Change[],
  outcomes: ChangeOutcome[],
): Change[] {
  const applied = changes.flatMap((change, index) => {
    const { status, key } = outcomes[index] ?? {};
    return status === 'applied' ? [{ change, key: key ?? keyOf(change) }] : [];
  });
  const own = table.description.foreignKeys;
  const toThis = referencesTo(handle, table);
  return applied
    .filter(({ change, key }) => {
      const points =
        change.kind !== 'delete' &&
        isCompleteKey(key) &&
        own.some((one) => isDangling(handle, table, one, key));
      return (
        points ||
        (change.kind !== 'insert' &&
          isCompleteKey(change.key) &&
          leavesRows(handle, table, toThis, change.key))
      );
    })
    .map(({ change }) => change);
}

function keyOf(change: Change): RowKey | null {
  return change.kind === 'insert' ? null : change.key;
}

/** Whether the row of this key refers to a row that does not exist. */
function isDangling(handle: Handle, table: Table, foreignKey: ForeignKeyDescription, key: RowKey): boolean {
  const pairs = foreignKey.columns.map((column, index) => [column, foreignKey.references[index]] as const);
  if (pairs.some(([, to]) => to === undefined)) return false;
  const isSet = join(
    pairs.map(([column]) => sql`child.${identifier(column)} IS NOT NULL`),
    ' AND ',
  );
  // The parent's column comes first, so its collation and its type decide, as in SQLite's own check.
  const matches = join(
    pairs.map(([column, to]) => sql`parent.${identifier(to!)} = child.${identifier(column)}`),
    ' AND ',
  );
  const row = sql`SELECT 1 FROM ${identifier(table.description.name)} AS child WHERE ${keyCondition(table, key)}`;
  const parent = sql`SELECT 1 FROM ${identifier(foreignKey.table)} AS parent WHERE ${matches}`;
  return queryRows(handle, sql`${row} AND ${isSet} AND NOT EXISTS (${parent})`).length > 0;
}

interface Reference {
  child: string;
  columns: string[];
  /** Columns of this table. */
  references: string[];
}

/** The foreign keys of all tables that refer to the key of this table. */
function referencesTo(handle: Handle, { description, declaredKey }: Table): Reference[] {
  const rows = queryRows(
    handle,
    sql`SELECT m.name, f.id, f."from", f."to" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
        WHERE m.type = 'table' AND lower(f."table") = lower(${description.name}) ORDER BY m.name, f.id, f.seq`,
  );
  const found = new Map<string, Reference>();
  for (const [child, id, from, to] of rows) {
    const one = found.getOrInsertComputed(JSON.stringify([child, String(id)]), () => ({
      child: String(child),
      columns: [],
      references: [],
    }));
    one.columns.push(String(from));
    one.references.push(to === null ? declaredKey[one.references.length]! : String(to));
  }
  return [...found.values()];
}

/** Whether rows refer to a row that had this key and is gone. */
function leavesRows(handle: Handle, table: Table, references: Reference[], key: RowKey): boolean {
  const given = new Map(Object.entries(key).map(([name, cell]) => [requireColumn(table, name).name, cell]));
  return references.some(({ child, columns, references: to }) => {
    const values = to.map((name) => given.get(requireColumn(table, name).name));
    if (values.includes(undefined)) return false;
    const collations = to.map((name) => collationOf(handle, table, name));
    const equal = (names: string[]): Fragment =>
      join(
        names.map(
          (name, index) =>
            sql`${identifier(name)} = ${toStored(values[index]!)} COLLATE ${identifier(collations[index]!)}`,
        ),
        ' AND ',
      );
    const parent = sql`SELECT 1 FROM ${identifier(table.description.name)} WHERE ${equal(to)}`;
    return (
      queryRows(
        handle,
        sql`SELECT 1 FROM ${identifier(child)} WHERE ${equal(columns)} AND NOT EXISTS (${parent})`,
      ).length > 0
    );
  });
}

/** The collation of a column that other tables refer to. It is unique, so it has an index, unless it is the rowid. */
function collationOf(handle: Handle, { description }: Table, column: string): string {
  const rows = queryRows(
    handle,
    sql`SELECT x.coll FROM pragma_index_list(${description.name}) l, pragma_index_xinfo(l.name) x
        WHERE l."unique" = 1 AND x.key = 1 AND lower(x.name) = lower(${column}) LIMIT 1`,
  );
  return String(rows[0]?.[0] ?? 'BINARY');
}
