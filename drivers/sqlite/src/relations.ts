import type { ForeignKeyDescription, IndexDescription } from '@trestle/driver-kit';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { isWord, tokenize } from './tokenizer.ts';

export function readIndexes(handle: Handle, table: string): IndexDescription[] {
  const rows = queryRows(
    handle,
    sql`SELECT l.name, l."unique", l.origin, l.partial, m.sql FROM pragma_index_list(${table}) l
        LEFT JOIN sqlite_schema m ON m.type = 'index' AND m.name = l.name ORDER BY l.seq`,
  );
  return rows.map(([name, unique, origin, partial, definition]) => {
    const condition = whereClause(String(definition ?? ''));
    const detail = origin === 'pk' ? 'primary key' : origin === 'u' ? 'unique constraint' : condition;
    return {
      name: String(name),
      columns: indexColumns(handle, table, String(name)),
      unique: unique === 1n,
      ...(partial === 1n && { partial: true }),
      ...(detail !== undefined && { detail }),
    };
  });
}

export function readForeignKeys(handle: Handle, table: string): ForeignKeyDescription[] {
  const rows = queryRows(
    handle,
    sql`SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(${table}) ORDER BY id, seq`,
  );
  const byId = new Map<unknown, ForeignKeyDescription & { implied: boolean }>();
  for (const [id, parent, from, to] of rows) {
    const entry = byId.get(id) ?? {
      columns: [],
      table: String(parent),
      references: [],
      implied: to === null,
    };
    entry.columns.push(String(from));
    if (to !== null) entry.references.push(String(to));
    byId.set(id, entry);
  }
  return [...byId.values()].map(({ implied, ...foreignKey }) =>
    implied ? { ...foreignKey, references: primaryKey(handle, foreignKey.table) } : foreignKey,
  );
}

/** The parent tables whose deletes or updates may change this table's rows through a foreign key. */
export function readCascades(handle: Handle, table: string): { table: string; parent: string }[] {
  const rows = queryRows(
    handle,
    sql`SELECT DISTINCT "table" FROM pragma_foreign_key_list(${table})
        WHERE on_update NOT IN ('NO ACTION', 'RESTRICT') OR on_delete NOT IN ('NO ACTION', 'RESTRICT')`,
  );
  return rows.map(([parent]) => ({ table, parent: String(parent) }));
}

/** The WHERE clause of a CREATE INDEX. An index cannot contain a subquery, so its first WHERE starts the clause. */
function whereClause(definition: string): string | undefined {
  const where = tokenize(definition).find((token) => isWord(token, 'WHERE'));
  return where && definition.slice(where.start);
}

function indexColumns(handle: Handle, table: string, index: string): (string | null)[] {
  const rows = queryRows(
    handle,
    sql`SELECT name, cid FROM pragma_index_xinfo(${index}) WHERE key = 1 ORDER BY seqno`,
  );
  // -1: an INTEGER PRIMARY KEY. Other columns that are no names are expressions.
  return rows.map(([name, cid]) =>
    cid === -1n ? primaryKey(handle, table)[0]! : name === null ? null : String(name),
  );
}

/** The columns of the declared primary key. */
export function primaryKey(handle: Handle, table: string): string[] {
  return queryRows(handle, sql`SELECT name FROM pragma_table_info(${table}) WHERE pk > 0 ORDER BY pk`).map(
    ([name]) => String(name),
  );
}
