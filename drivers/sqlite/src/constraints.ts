import { readGenerated } from './generated-columns.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { asciiLower } from './table.ts';
import { nameOf, significant, tokenize } from './tokenizer.ts';

/**
 * The constraints of a table that compare a written row with stored rows. The names of the table's own columns are in
 * lower case.
 */
export interface Constraints {
  columns: Map<string, ConstrainedColumn>;
  /** The INTEGER PRIMARY KEY, which is the rowid under another name. */
  rowid: string | null;
  uniques: Unique[];
  foreignKeys: { from: string[]; parent: string; to: string[] }[];
}

interface ConstrainedColumn {
  /** The columns that a generated column is computed from. Null for any other column. */
  computedFrom: ReadonlySet<string> | null;
  /** A row gets NULL here if the INSERT leaves the column out. Ignored for the rowid and for a generated column. */
  isNullByDefault: boolean;
}

interface Unique {
  /** The columns of the index. Its expressions are left out. */
  keys: string[];
  /** `keys`, and the columns in the index's expressions and in the condition of a partial index. */
  involved: string[];
}

export function readConstraints(handle: Handle, table: string): Constraints {
  const rows = queryRows(
    handle,
    sql`SELECT name, type, dflt_value, pk, hidden FROM pragma_table_xinfo(${table})`,
  );
  const generated = readGenerated(
    definitionOf(handle, table),
    rows.map(([name, , , , hidden]) => ({ name: String(name), generated: hidden === 2n || hidden === 3n })),
  );
  const columns = new Map(
    rows.map(([name, , value]) => [
      asciiLower(String(name)),
      {
        computedFrom: generated.get(asciiLower(String(name))) ?? null,
        isNullByDefault: value === null || /^null$/i.test(String(value)),
      },
    ]),
  );
  const rowid = aliasOf(handle, table, rows);
  const uniques = readUniques(handle, table, columns);
  if (rowid !== null) uniques.push({ keys: [rowid], involved: [rowid] });
  return { columns, rowid, uniques, foreignKeys: readForeignKeys(handle, table) };
}

function definitionOf(handle: Handle, table: string): string {
  const rows = queryRows(
    handle,
    sql`SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ${table} COLLATE NOCASE`,
  );
  return String(rows[0]?.[0] ?? '');
}

/** The names of the rowid. If a column has one of these names, the name means that column. */
export const rowidNames = ['rowid', '_rowid_', 'oid'];

type Row = ReturnType<typeof queryRows>[number];

function aliasOf(handle: Handle, table: string, columns: Row[]): string | null {
  const primary = columns.filter(([, , , position]) => (position as bigint) > 0n);
  const [name, type] = primary[0] ?? [];
  if (primary.length !== 1 || asciiLower(String(type)) !== 'integer') return null;
  const index = queryRows(handle, sql`SELECT 1 FROM pragma_index_list(${table}) WHERE origin = 'pk'`);
  return index.length > 0 ? null : asciiLower(String(name));
}

function readUniques(handle: Handle, table: string, columns: Constraints['columns']): Unique[] {
  const rows = queryRows(
    handle,
    sql`SELECT l.name, l.partial, x.name, m.sql FROM pragma_index_list(${table}) l, pragma_index_xinfo(l.name) x
        LEFT JOIN sqlite_schema m ON m.type = 'index' AND m.name = l.name WHERE l."unique" AND x.key`,
  );
  return [...Map.groupBy(rows, ([index]) => index).values()].map((parts) => {
    const keys = parts.flatMap(([, , column]) => (column === null ? [] : [asciiLower(String(column))]));
    const isPlain = keys.length === parts.length && parts[0]![1] === 0n;
    const words = isPlain ? [] : significant(tokenize(String(parts[0]![3] ?? '')));
    const named = words.map((token) => asciiLower(nameOf(token))).filter((name) => columns.has(name));
    return { keys, involved: [...new Set([...keys, ...named])] };
  });
}

function readForeignKeys(handle: Handle, table: string): Constraints['foreignKeys'] {
  const rows = queryRows(
    handle,
    sql`SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(${table}) ORDER BY id, seq`,
  );
  return [...Map.groupBy(rows, ([id]) => id).values()].map((parts) => {
    const parent = String(parts[0]![1]);
    const to = parts.flatMap(([, , , column]) => (column === null ? [] : [String(column)]));
    return {
      from: parts.map(([, , column]) => asciiLower(String(column))),
      parent,
      to: to.length > 0 ? to : primaryKey(handle, parent),
    };
  });
}

function primaryKey(handle: Handle, table: string): string[] {
  return queryRows(handle, sql`SELECT name FROM pragma_table_xinfo(${table}) WHERE pk > 0 ORDER BY pk`).map(
    ([name]) => String(name),
  );
}
