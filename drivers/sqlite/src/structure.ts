import type { StructureSection, TableDescription, TableStructure } from '@trestle/driver-kit';
import type { Handle } from './handle.ts';
import { queryRows } from './query.ts';
import { primaryKey } from './relations.ts';
import { sql } from './sql.ts';

/** A table or view as declared: columns, notes, indexes, foreign keys, triggers and the CREATE statement. */
export function structureOf(handle: Handle, description: TableDescription): TableStructure {
  const { name, notes, definition } = description;
  return {
    sections: [
      columnsOf(description, primaryKey(handle, name)),
      ...(notes.length > 0
        ? [{ title: 'Notes', kind: 'facts' as const, facts: notes.map((value) => ({ name: 'Note', value })) }]
        : []),
      {
        title: 'Indexes',
        kind: 'table',
        columns: ['Name', 'Columns', 'Unique', 'Detail'],
        rows: description.indexes.map(({ name: index, columns, unique, detail = '' }) => [
          index,
          columns.map((column) => column ?? '(expression)').join(', '),
          unique,
          detail,
        ]),
      },
      foreignKeysOf(handle, description),
      ...triggersOf(handle, name),
      ...(definition === undefined ? [] : [{ title: 'Statement', kind: 'code' as const, text: definition }]),
    ],
  };
}

/** `key` is the declared primary key. The description has another key, or none, if the primary key may contain NULL. */
function columnsOf({ columns }: TableDescription, key: string[]): StructureSection {
  return {
    title: 'Columns',
    kind: 'table',
    columns: ['Name', 'Type', 'Key', 'NULL allowed', 'Default', 'Note'],
    rows: columns
      .filter(({ hidden }) => !hidden)
      .map((column) => [
        column.name,
        column.nativeType,
        keyWord(column.name, key),
        column.nullable,
        column.defaultText ?? '',
        column.readOnly ?? '',
      ]),
  };
}

function keyWord(column: string, key: string[]): string {
  const at = key.indexOf(column);
  if (at < 0) return '';
  return key.length === 1 ? 'primary key' : `primary key, part ${at + 1}`;
}

function foreignKeysOf(handle: Handle, { name, foreignKeys }: TableDescription): StructureSection {
  // One row for each foreign key, in the order of `foreignKeys`. Two foreign keys may have the same columns, so only the
  // position says which rules belong to which foreign key.
  const rules = queryRows(
    handle,
    sql`SELECT on_update, on_delete FROM pragma_foreign_key_list(${name}) WHERE seq = 0 ORDER BY id`,
  );
  return {
    title: 'Foreign keys',
    kind: 'table',
    columns: ['Columns', 'Points to', 'On update', 'On delete'],
    rows: foreignKeys.map(({ columns, table, references }, index) => [
      columns.join(', '),
      `${table} (${references.join(', ')})`,
      ...rules[index]!.map((rule) => String(rule).toLowerCase()),
    ]),
  };
}

function triggersOf(handle: Handle, table: string): StructureSection[] {
  const rows = queryRows(
    handle,
    sql`SELECT sql FROM sqlite_schema
        WHERE type = 'trigger' AND tbl_name = ${table} COLLATE NOCASE AND sql IS NOT NULL ORDER BY name`,
  );
  if (rows.length === 0) return [];
  return [{ title: 'Triggers', kind: 'code', text: rows.map(([text]) => `${text};`).join('\n\n') }];
}
