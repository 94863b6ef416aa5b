import type { GuardedSchema } from './guarded-schema.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { asciiLower } from './table.ts';

/**
 * A guarded column that a write would test; null if there is none. A unique index refuses a value that exists, and a
 * foreign key refuses one that does not. So a client could try values until it has found a masked one. `written`: the
 * columns that the write sets. Null: any.
 */
export function testedColumn(
  handle: Handle,
  schema: GuardedSchema,
  { table, written }: { table: string; written: readonly string[] | null },
): string | null {
  const names = written?.map(asciiLower);
  const isWritten = (column: string) =>
    !names || names.includes(asciiLower(column)) || rowidNames.some((name) => names.includes(name));
  return uniqueColumn(handle, schema, table, isWritten) ?? referredColumn(handle, schema, table, isWritten);
}

const rowidNames = ['rowid', '_rowid_', 'oid'];

function uniqueColumn(
  handle: Handle,
  schema: GuardedSchema,
  table: string,
  isWritten: (column: string) => boolean,
): string | null {
  const columns = queryRows(handle, sql`SELECT name, hidden FROM pragma_table_xinfo(${table})`);
  const guarded = columns.filter(([name]) => schema.base(table, String(name)) !== null);
  const source = guarded.find(([name, hidden]) => hidden === 0n && isWritten(String(name)))?.[0];
  if (source === undefined) return null;
  const unique = queryRows(
    handle,
    sql`SELECT x.name FROM pragma_index_list(${table}) l, pragma_index_xinfo(l.name) x WHERE l."unique" AND x.key
        UNION ALL SELECT name FROM pragma_table_xinfo(${table}) WHERE pk > 0`,
  ).map(([name]) => (name === null ? null : asciiLower(String(name))));
  // An index on an expression may use any column. A generated column is tested although no write sets it.
  const isTested = ([name, hidden]: (typeof columns)[number]) =>
    unique.includes(null) ||
    (unique.includes(asciiLower(String(name))) && (hidden !== 0n || isWritten(String(name))));
  const tested = guarded.find(isTested)?.[0];
  return tested === undefined ? null : `${table}.${tested}`;
}

/** A foreign key accepts only values that the other table has. */
function referredColumn(
  handle: Handle,
  schema: GuardedSchema,
  table: string,
  isWritten: (column: string) => boolean,
): string | null {
  const keys = queryRows(handle, sql`SELECT "from", "table", "to" FROM pragma_foreign_key_list(${table})`);
  for (const [from, parent, to] of keys) {
    if (!isWritten(String(from))) continue;
    const referred =
      to === null
        ? queryRows(handle, sql`SELECT name FROM pragma_table_xinfo(${String(parent)}) WHERE pk > 0`)
        : [[to]];
    const column = referred.find(([name]) => schema.base(String(parent), String(name)) !== null)?.[0];
    if (column !== undefined) return `${parent}.${column}`;
  }
  return null;
}

/** A guarded column whose foreign key decides whether a row of this table may be deleted; null if there is none. */
export function referringColumn(handle: Handle, schema: GuardedSchema, table: string): string | null {
  const keys = queryRows(
    handle,
    sql`SELECT m.name, f."from", f."table" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
        WHERE m.type = 'table'`,
  );
  const found = keys.find(
    ([child, from, parent]) =>
      asciiLower(String(parent)) === asciiLower(table) && schema.base(String(child), String(from)) !== null,
  );
  return found ? `${found[0]}.${found[1]}` : null;
}
