import type { ColumnDescription, TableDescription } from '@trestle/driver-kit';
import { columnType, filterSupport } from './column-types.ts';
import { rowidNames } from './constraints.ts';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { readForeignKeys, readIndexes } from './relations.ts';
import type { SchemaEntry } from './schema-entry.ts';
import { identifier, join, quoteIdentifier, sql } from './sql.ts';
import { asciiLower, type Table } from './table.ts';
import { isWord, significant, tokenize } from './tokenizer.ts';

export function describe(handle: Handle, entry: SchemaEntry): Table {
  const { name, kind, virtual, definition } = entry;
  const raw = readColumns(handle, name);
  const indexes = readIndexes(handle, name);
  const { withoutRowid, strict } = readOptions(handle, name);
  const primary = raw
    .filter((column) => column.keyPosition > 0)
    .sort((a, b) => a.keyPosition - b.keyPosition);
  const rowid = kind === 'table' && !withoutRowid ? reachableRowid(handle, name, raw) : null;
  // An INTEGER PRIMARY KEY is an alias of the rowid and has no index. `INTEGER PRIMARY KEY DESC` is no alias: it has an
  // index, and may contain NULL.
  const alias =
    !withoutRowid &&
    primary.length === 1 &&
    primary[0]!.declared.toUpperCase() === 'INTEGER' &&
    !indexes.some((index) => index.detail === 'primary key')
      ? primary[0]!
      : null;
  const declared = primary.map((column) => column.name);
  const keyMayBeNull = !withoutRowid && !alias && primary.some((column) => !column.notNull);
  const usable = declared.length > 0 && !(keyMayBeNull && holdsNull(handle, name, declared));
  const key = usable ? declared : rowid ? [rowid] : [];

  const columns = raw.map((column) => describeColumn(column, { key, alias: column === alias, withoutRowid }));
  if (rowid && key[0] === rowid && !raw.some((column) => column.name === rowid))
    columns.unshift(rowidColumn(rowid));
  const foreignKeys = readForeignKeys(handle, name);
  const description: TableDescription = {
    name,
    kind,
    columns,
    key,
    ...readOnlyReasons(kind, key),
    ...((!strict || columns.some(({ type }) => type === 'any')) && { mixed: true }),
    indexes,
    foreignKeys,
    ...(definition !== null && { definition: `${definition};` }),
    exampleQuery: `SELECT *\nFROM ${quoteIdentifier(name)}\nLIMIT 100;`,
    ...countQuery(handle, entry, { columns, indexes, foreignKeys }),
    notes: [
      ...(virtual ? ['A virtual table: its module decides what can be written.'] : []),
      ...(strict ? ['STRICT: each column holds only values of its type.'] : []),
    ],
  };
  return {
    description,
    rowid,
    declaredKey: declared,
    keyMayBeNull,
    tiebreak: rowid ? [rowid] : key.length > 0 ? key : raw.map((column) => column.name),
    virtual,
    strict,
    resolvesConflicts: resolvesConflicts(definition ?? ''),
  };
}

/**
 * SQLite allows NULL in a primary key without NOT NULL. Rows with a NULL in it cannot be told apart by it. The columns
 * are asked one by one, so SQLite answers for the first one from the index of the key.
 */
function holdsNull(handle: Handle, table: string, key: string[]): boolean {
  const rows = key.map(
    (column) => sql`EXISTS (SELECT 1 FROM ${identifier(table)} WHERE ${identifier(column)} IS NULL)`,
  );
  try {
    return queryRows(handle, sql`SELECT ${join(rows, ' OR ')}`)[0]![0] === 1n;
  } catch {
    // The rows cannot be read, for example if a collation exists only in the application that made the file.
    return true;
  }
}

function resolvesConflicts(definition: string): boolean {
  const words = significant(tokenize(definition));
  return words.some((token, index) => isWord(token, 'ON') && isWord(words[index + 1], 'CONFLICT'));
}

/**
 * A query that counts rows by a text or foreign key column. A column with few distinct values in the first rows is
 * preferred: it is probably a category and not a name. Key columns and unique columns are never used.
 */
function countQuery(
  handle: Handle,
  { name: table, kind, virtual }: SchemaEntry,
  { columns, indexes, foreignKeys }: Pick<TableDescription, 'columns' | 'indexes' | 'foreignKeys'>,
): Pick<TableDescription, 'countQuery'> {
  const isUnique = (name: string) =>
    indexes.some((index) => index.unique && index.columns.length === 1 && index.columns[0] === name);
  const isReference = (name: string) => foreignKeys.some(({ columns: [first] }) => first === name);
  const grouping = columns.filter(
    ({ name, type, inKey }) => (type === 'text' || isReference(name)) && !inKey && !isUnique(name),
  );
  // The values of a view or a virtual table are not counted: it may have to read whole tables before it returns its
  // first row.
  const counts = kind === 'view' || virtual ? [] : countValues(handle, table, grouping.slice(0, 50));
  const fewest = Math.min(...counts.filter((count) => count > 1));
  const column = grouping[Math.max(0, counts.indexOf(fewest))];
  if (!column) return {};
  const name = quoteIdentifier(column.name);
  return { countQuery: `SELECT ${name}, count(*) FROM ${quoteIdentifier(table)} GROUP BY ${name};` };
}

function countValues(handle: Handle, table: string, columns: ColumnDescription[]): number[] {
  if (columns.length === 0) return [];
  const names = columns.map(({ name }) => identifier(name));
  // A column that is empty in at least half of the rows gets 0: it may have few values, but is probably not a category.
  const counts = names.map(
    (name) => sql`iif(2 * count(nullif(${name}, '')) > count(*), count(DISTINCT ${name}), 0)`,
  );
  const rows = sql`SELECT ${join(names, ', ')} FROM ${identifier(table)} LIMIT 200`;
  try {
    return queryRows(handle, sql`SELECT ${join(counts, ', ')} FROM (${rows})`)[0]?.map(Number) ?? [];
  } catch {
    // The values cannot be counted, for example if a collation exists only in the application that made the file.
    // The description works without the counts.
    return [];
  }
}

interface RawColumn {
  name: string;
  declared: string;
  notNull: boolean;
  defaultText: string | null;
  keyPosition: number;
  generated: boolean;
}

function readColumns(handle: Handle, table: string): RawColumn[] {
  const rows = queryRows(
    handle,
    sql`SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(${table}) WHERE hidden <> 1`,
  );
  return rows.map(([name, declared, notNull, defaultText, keyPosition, hidden]) => ({
    name: String(name),
    declared: String(declared ?? ''),
    notNull: notNull === 1n,
    defaultText: defaultText === null ? null : String(defaultText),
    keyPosition: Number(keyPosition),
    generated: hidden === 2n || hidden === 3n,
  }));
}

function readOptions(handle: Handle, table: string): { withoutRowid: boolean; strict: boolean } {
  const row = queryRows(
    handle,
    sql`SELECT wr, strict FROM pragma_table_list(${table}) WHERE schema = 'main'`,
  )[0];
  return { withoutRowid: row?.[0] === 1n, strict: row?.[1] === 1n };
}

/** The rowid has three names. Returns one that no column has, or null if a SELECT cannot reach the rowid. */
function reachableRowid(handle: Handle, table: string, columns: RawColumn[]): string | null {
  const taken = new Set(columns.map((column) => asciiLower(column.name)));
  const free = rowidNames.find((name) => !taken.has(name));
  if (free === undefined) return null;
  try {
    handle.db.prepare(`SELECT ${free} FROM ${quoteIdentifier(table)} LIMIT 0`);
    return free;
  } catch {
    return null;
  }
}

function describeColumn(
  column: RawColumn,
  context: { key: string[]; alias: boolean; withoutRowid: boolean },
): ColumnDescription {
  const type = columnType(column.declared);
  const never = column.notNull || context.alias || (context.withoutRowid && column.keyPosition > 0);
  const defaultText = context.alias ? 'the next free number' : column.defaultText;
  return {
    name: column.name,
    type,
    nativeType: column.declared,
    nullable: !never,
    inKey: context.key.includes(column.name),
    ...(column.generated && { readOnly: 'A generated column: the database computes it.' }),
    ...(defaultText !== null && { defaultText }),
    ...filterSupport(type),
  };
}

function rowidColumn(name: string): ColumnDescription {
  return {
    name,
    type: 'int',
    nativeType: 'INTEGER',
    nullable: false,
    inKey: true,
    hidden: true,
    readOnly: 'The row number that the database assigns.',
    ...filterSupport('int'),
  };
}

function readOnlyReasons(kind: 'table' | 'view', key: string[]): Pick<TableDescription, 'readOnly'> {
  if (kind === 'view') {
    const reason = 'A view shows rows of other tables: change them there.';
    return { readOnly: { insert: reason, update: reason, delete: reason } };
  }
  if (key.length > 0) return {};
  const reason =
    'Its rows cannot be told apart: it has no primary key or NULL in it, and its columns hide the rowid. Use an UPDATE or DELETE statement.';
  return { readOnly: { update: reason, delete: reason } };
}
