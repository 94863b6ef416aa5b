import { DriverError, type EditorSchema, suggestName, type TableSummary } from '@trestle/driver-kit';
import { describe } from './describe.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import type { SchemaEntry } from './schema-entry.ts';
import { quoteIdentifier, sql } from './sql.ts';
import { asciiLower, type Table } from './table.ts';

export function listTables(handle: Handle): TableSummary[] {
  return schemaOf(handle).tables.map(({ name, kind }) => ({
    name,
    kind,
    dropText: `DROP ${kind === 'view' ? 'VIEW' : 'TABLE'} ${quoteIdentifier(name)}`,
  }));
}

export function requireTable(handle: Handle, name: string): Table {
  const schema = schemaOf(handle);
  const lower = asciiLower(name);
  const entry =
    schema.tables.find((table) => table.name === name) ??
    schema.tables.find((table) => asciiLower(table.name) === lower);
  if (!entry) {
    throw new DriverError({
      code: 'not_found',
      message: `There is no table or view "${name}"`,
      hint: suggestName(
        name,
        schema.tables.map((table) => table.name),
      ),
    });
  }
  const known = schema.described.get(entry.name);
  if (known) return known;
  const table = describe(handle, entry);
  schema.described.set(entry.name, table);
  return table;
}

/** Describes the table again if rows that were written since may have changed its key. */
export function requireTableNow(handle: Handle, name: string): Table {
  const table = requireTable(handle, name);
  if (!table.keyMayBeNull) return table;
  schemaOf(handle).described.delete(table.description.name);
  return requireTable(handle, name);
}

export function editorSchema(handle: Handle): EditorSchema {
  const tables = schemaOf(handle).tables.map(({ name }) => [name, columnNames(handle, name)]);
  return { language: 'sql', tables: Object.fromEntries(tables) };
}

interface Schema {
  version: bigint;
  tables: SchemaEntry[];
  described: Map<string, Table>;
}

const cache = new WeakMap<Handle, Schema>();

/** The tables and views of the file. Cached until the schema version changes. */
function schemaOf(handle: Handle): Schema {
  const version = queryRows(handle, sql`PRAGMA schema_version`)[0]![0] as bigint;
  const cached = cache.get(handle);
  if (cached?.version === version) return cached;
  const schema = { version, tables: readEntries(handle), described: new Map() };
  cache.set(handle, schema);
  return schema;
}

function readEntries(handle: Handle): SchemaEntry[] {
  // Shadow tables of a virtual table are left out: they cannot be written and mean nothing on their own.
  const rows = queryRows(
    handle,
    sql`SELECT name, type, sql, sql LIKE 'create virtual table%' FROM sqlite_schema
        WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow')
        ORDER BY name COLLATE NOCASE`,
  );
  return rows.map(([name, type, definition, virtual]) => ({
    name: String(name),
    kind: type === 'view' ? 'view' : 'table',
    definition: definition === null ? null : String(definition),
    virtual: virtual === 1n,
  }));
}

/** Empty for a broken view, or a virtual table without its module: an error would hide the other tables too. */
function columnNames(handle: Handle, table: string): string[] {
  try {
    const rows = queryRows(handle, sql`SELECT name FROM pragma_table_xinfo(${table}) WHERE hidden <> 1`);
    return rows.map(([name]) => String(name));
  } catch {
    return [];
  }
}
