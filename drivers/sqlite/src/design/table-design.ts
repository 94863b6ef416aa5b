import { type Design, type DesignItem, DriverError, type FoundColumn } from '@trestle/driver-kit';
import { nameIn } from '../create-table.ts';
import type { Handle } from '../handle.ts';
import { openMemory } from '../handle.ts';
import { queryRows } from '../query.ts';
import { readIndexes } from '../relations.ts';
import { requireTable } from '../schema.ts';
import { sql } from '../sql.ts';

/** A column as `fields` of an item have it. A field that is left out has its default. */
export interface ColumnDesign {
  name: string;
  type: string;
  key: boolean;
  required: boolean;
  unique: boolean;
  default: string;
}

export interface IndexDesign {
  name: string;
  columns: string[];
  unique: boolean;
}

export function columnOf({ fields }: DesignItem): ColumnDesign {
  return {
    name: String(fields.name ?? ''),
    type: String(fields.type ?? 'TEXT'),
    key: fields.key === true,
    required: fields.required === true,
    unique: fields.unique === true,
    default: String(fields.default ?? ''),
  };
}

export function indexOf({ fields }: DesignItem): IndexDesign {
  const { columns } = fields;
  return {
    name: String(fields.name ?? ''),
    columns: Array.isArray(columns) ? columns : [],
    unique: fields.unique === true,
  };
}

/** A table of the file as a design. An index with a condition or an expression has no place in the form. */
export function designOfTable(handle: Handle, table: string): Design {
  const { description } = requireTable(handle, table);
  const { name, kind, definition } = description;
  if (kind !== 'table' || definition === undefined)
    throw new DriverError({ code: 'unsupported', message: 'Only a plain table has a design' });
  const indexes = readIndexes(handle, name);
  const uniques = indexes.filter(
    ({ unique, columns, detail }) => unique && detail === 'unique constraint' && columns.length === 1,
  );
  const options = queryRows(
    handle,
    sql`SELECT strict, wr FROM pragma_table_list(${name}) WHERE schema = 'main'`,
  )[0];
  const columns = queryRows(
    handle,
    sql`SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_xinfo(${name}) WHERE hidden = 0`,
  );
  return {
    name,
    fields: { strict: options?.[0] === 1n, withoutRowid: options?.[1] === 1n },
    parts: {
      columns: columns.map(([column, type, notNull, value, position]) => ({
        from: String(column),
        fields: {
          name: String(column),
          type: String(type ?? '').toUpperCase(),
          key: position !== 0n,
          required: notNull === 1n,
          unique: uniques.some((one) => one.columns[0] === column),
          default: value === null ? '' : String(value),
        },
      })),
      indexes: indexes.filter(isPlain).map(({ name: index, columns: names, unique }) => ({
        from: index,
        fields: { name: index, columns: names as string[], unique },
      })),
    },
    definition,
  };
}

function isPlain({ columns, partial, detail }: ReturnType<typeof readIndexes>[number]): boolean {
  return detail === undefined && !partial && columns.every((column) => column !== null);
}

/** A CREATE TABLE statement as a design. SQLite reads it, in a database in memory. */
export function designOfDefinition(definition: string): Design {
  const { start, end } = nameIn(definition);
  const handle = openMemory();
  try {
    handle.db.prepare(`${definition.slice(0, start)}main."given"${definition.slice(end)}`).run();
    return { ...designOfTable(handle, 'given'), name: nameFrom(definition.slice(start, end)), definition };
  } catch (error) {
    throw new DriverError({
      code: 'invalid_argument',
      message: `The definition is no CREATE TABLE statement that SQLite takes: ${(error as Error).message}`,
    });
  } finally {
    handle.db.close();
  }
}

function nameFrom(written: string): string {
  const last = written.split('.').at(-1) ?? '';
  return /^["'`[]/.test(last) ? last.slice(1, -1).replaceAll('""', '"') : last;
}

/** A table for rows of a file. Each row needs an id: without one, a second import would add every row again. */
export function designOfColumns(columns: FoundColumn[]): Design {
  const isId = ({ name }: FoundColumn) => /^(id|uuid|key)$/i.test(name);
  const id = columns.find((column) => isId(column) && ['int', 'text', 'uuid'].includes(column.type));
  const items = columns.map(
    (column): DesignItem => ({
      from: column.name,
      fields: {
        name: column.name.trim(),
        type: column.isList ? 'JSON' : types[column.type],
        key: column === id,
        required: column === id,
      },
    }),
  );
  const free = ['id', 'row_id', 'trestle_row_id'].find(
    (name) => !columns.some((column) => column.name.trim().toLowerCase() === name),
  );
  const added: DesignItem = { fields: { name: free ?? 'id', type: 'TEXT', key: true, required: true } };
  return { name: '', fields: {}, parts: { columns: id ? items : [added, ...items], indexes: [] } };
}

/** SQLite has no boolean and no date: `true` stays a text. */
const types: Record<FoundColumn['type'], string> = {
  ...{ int: 'INTEGER', number: 'REAL', text: 'TEXT', boolean: 'TEXT', date: 'TEXT', uuid: 'TEXT' },
  ...{ bytes: 'BLOB', json: 'JSON', vector: 'JSON', any: '' },
};
