import { readGenerated } from './generated-columns.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { sql } from './sql.ts';
import { asciiLower } from './table.ts';
import { closingAt, isWord, nameOf, significant, type Token, tokenize } from './tokenizer.ts';

/**
 * The constraints of a table that may refuse a write because of stored values. The names of the table's own columns
 * have A–Z in lower case.
 */
export interface Constraints {
  columns: Map<string, ConstrainedColumn>;
  /** The INTEGER PRIMARY KEY, which is the rowid under another name. */
  rowid: string | null;
  uniques: Unique[];
  foreignKeys: { from: string[]; parent: string; to: string[] }[];
  /** The columns that each CHECK names. A NOT NULL generated column counts as a CHECK of its sources. */
  checks: string[][];
}

interface ConstrainedColumn {
  /** The columns that a generated column is computed from. Null for any other column. */
  computedFrom: ReadonlySet<string> | null;
  /** Whether the column's default is NULL. Has no meaning for the rowid and for a generated column. */
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
    sql`SELECT name, type, dflt_value, pk, hidden, "notnull" FROM pragma_table_xinfo(${table})`,
  );
  const definition = definitionOf(handle, table);
  const generated = readGenerated(
    definition,
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
  const uniques = readUniques(handle, table, columns, rowid);
  if (rowid !== null) uniques.push({ keys: [rowid], involved: [rowid] });
  const required = rows.filter((row) => row[5] === 1n).map(([name]) => asciiLower(String(name)));
  const checks = [
    ...readChecks(definition, columns, rowid),
    ...required.flatMap((name) => (generated.has(name) ? [[...generated.get(name)!]] : [])),
  ];
  return { columns, rowid, uniques, foreignKeys: readForeignKeys(handle, table), checks };
}

function readChecks(definition: string, columns: Constraints['columns'], rowid: string | null): string[][] {
  const words = significant(tokenize(definition));
  return words.flatMap((token, index) => {
    if (!isWord(token, 'CHECK') || words[index + 1]?.text !== '(') return [];
    const length = closingAt(words.slice(index + 1));
    // After a dot, SQLite reads a text in single quotes as a column name: `users.'email'`.
    const inside = words
      .slice(index + 1, index + 1 + length)
      .filter(({ kind }, at, all) => kind !== 'text' || all[at - 1]?.text === '.');
    return [namedColumns(inside, columns, rowid)];
  });
}

/** The columns that the words name. A name of the rowid counts as the INTEGER PRIMARY KEY. */
function namedColumns(words: Token[], columns: Constraints['columns'], rowid: string | null): string[] {
  return words.flatMap((word) => {
    const name = asciiLower(nameOf(word));
    if (columns.has(name)) return [name];
    return rowid !== null && rowidNames.includes(name) ? [rowid] : [];
  });
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

function readUniques(
  handle: Handle,
  table: string,
  columns: Constraints['columns'],
  rowid: string | null,
): Unique[] {
  const rows = queryRows(
    handle,
    sql`SELECT l.name, l.partial, x.name, m.sql FROM pragma_index_list(${table}) l, pragma_index_xinfo(l.name) x
        LEFT JOIN sqlite_schema m ON m.type = 'index' AND m.name = l.name WHERE l."unique" AND x.key`,
  );
  return [...Map.groupBy(rows, ([index]) => index).values()].map((parts) => {
    const keys = parts.flatMap(([, , column]) => (column === null ? [] : [asciiLower(String(column))]));
    const isPlain = keys.length === parts.length && parts[0]![1] === 0n;
    const words = isPlain ? [] : significant(tokenize(String(parts[0]![3] ?? '')));
    return { keys, involved: [...new Set([...keys, ...namedColumns(words, columns, rowid)])] };
  });
}

/** Names in `from` have A–Z in lower case. */
export function readForeignKeys(handle: Handle, table: string): Constraints['foreignKeys'] {
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

/** The columns of `table` to which foreign keys refer, from any table. */
export function readReferences(handle: Handle, table: string): string[] {
  const rows = queryRows(
    handle,
    sql`SELECT DISTINCT f."to" FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
        WHERE m.type = 'table' AND f."table" = ${table} COLLATE NOCASE`,
  );
  return rows.flatMap(([column]) => (column === null ? primaryKey(handle, table) : [String(column)]));
}

function primaryKey(handle: Handle, table: string): string[] {
  return queryRows(handle, sql`SELECT name FROM pragma_table_xinfo(${table}) WHERE pk > 0 ORDER BY pk`).map(
    ([name]) => String(name),
  );
}
