import {
  type Cell,
  type Change,
  type ChangePreview,
  type ChangeSet,
  DriverError,
  type Json,
  parseCell,
} from '@trestle/driver-kit';
import { type CollectionReader, objectPath } from './collection-reader.ts';
import { findColumn, gridColumns } from './columns.ts';
import { readOnlyReason } from './describe.ts';
import { writableValue } from './writable-value.ts';

/** The request that a change becomes. */
export interface WriteRequest {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  body?: { [name: string]: Json };
}

export function previewChanges(reader: CollectionReader, { changes }: ChangeSet): ChangePreview[] {
  return changes.map((change) => {
    if (change.kind !== 'insert' && change.key === null) return { id: change.id, text: 'Skipped: no uuid' };
    const { method, path, query, body } = requestOf(reader, change);
    const search = query ? `?${new URLSearchParams(query)}` : '';
    return {
      id: change.id,
      text: `${method} ${path}${search}${body ? `\n${JSON.stringify(body, null, 2)}` : ''}`,
    };
  });
}

/** Throws where the change cannot be sent as it is. */
export function requestOf(reader: CollectionReader, change: Change): WriteRequest {
  const { collection, tenant } = reader;
  if (change.kind === 'delete') {
    // The documented path without the class would delete this uuid from every collection.
    const path = objectPath(collection, uuidOf(change.key));
    return { method: 'DELETE', path, ...(tenant !== undefined && { query: { tenant } }) };
  }
  const properties = propertiesOf(reader, change);
  const shared = { class: collection.name, ...(tenant !== undefined && { tenant }) };
  if (change.kind === 'update') {
    const id = uuidOf(change.key);
    return {
      method: 'PATCH',
      path: `/v1/objects/${id}`,
      query: { class: collection.name },
      body: { ...shared, id, properties },
    };
  }
  const id = typedId(change.values.uuid);
  return { method: 'POST', path: '/v1/objects', body: { ...shared, ...(id && { id }), properties } };
}

/** Every name is checked against the schema: the server would make a new column of a misspelt one. */
function propertiesOf(
  reader: CollectionReader,
  change: Change & { kind: 'insert' | 'update' },
): { [name: string]: Json } {
  const columns = gridColumns(reader.collection);
  const properties: { [name: string]: Json } = {};
  for (const [name, cell] of Object.entries(change.values)) {
    const column = findColumn(columns, name, reader.collection);
    if (column.source.kind === 'id' && change.kind === 'insert') continue;
    const reason = readOnlyReason(column);
    if (reason || column.source.kind !== 'property') {
      throw new DriverError({ code: 'invalid_argument', message: `${name} cannot be written: ${reason}` });
    }
    const value = writableValue(cell, column.source.property, name);
    if (value !== null || change.kind === 'update') properties[column.source.property.name] = value;
  }
  return properties;
}

/** Null where the server is to choose one. */
export function typedId(cell: Cell | undefined): string | null {
  if (cell === undefined || cell === null || cell === '') return null;
  const parsed = parseCell(String(cell), 'uuid');
  if (!parsed.ok) throw new DriverError({ code: 'invalid_argument', message: `uuid: ${parsed.problem}` });
  return String(parsed.cell);
}

export function uuidOf(key: Record<string, Cell> | null): string {
  const parsed = parseCell(String(key?.uuid ?? ''), 'uuid');
  if (!parsed.ok) throw new DriverError({ code: 'invalid_argument', message: `uuid: ${parsed.problem}` });
  return String(parsed.cell);
}
