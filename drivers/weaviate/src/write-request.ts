import {
  type Cell,
  type Change,
  type ChangePreview,
  type ChangeSet,
  DriverError,
  type Insert,
  type Json,
  parseCell,
} from '@trestle/driver-kit';
import { type CollectionReader, objectPath } from './collection-reader.ts';
import { findColumn, gridColumns } from './columns.ts';
import { readOnlyReason } from './describe.ts';
import { writableValue, writableVector } from './writable-value.ts';

/** One request of a change. A change may need several. */
export interface WriteRequest {
  method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  body?: Json;
  /** The properties that the request sets, with their new values. */
  sets?: { [name: string]: Json };
}

export function previewChanges(reader: CollectionReader, { changes }: ChangeSet): ChangePreview[] {
  return changes.map((change) => {
    if (lacksUuid(change)) return { id: change.id, text: 'Skipped: no uuid' };
    const requests = requestsOf(reader, change).map((request) => withShownId(request, change));
    return { id: change.id, text: requests.map(printRequest).join('\n\n') };
  });
}

/** If a new object has no id, the save chooses one later, so the preview shows a placeholder. */
function withShownId(request: WriteRequest, change: Change): WriteRequest {
  if (change.kind !== 'insert' || newId(change) !== null) return request;
  const { class: name, tenant, ...body } = request.body as { [name: string]: Json };
  const place = { class: name!, ...(tenant !== undefined && { tenant }), id: '(a new uuid)' };
  return { ...request, body: { ...place, ...body } };
}

function printRequest({ method, path, query, body }: WriteRequest): string {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return `${method} ${path}${search}${body === undefined ? '' : `\n${JSON.stringify(body, null, 2)}`}`;
}

/** Whether the change is an update or delete that names no row. */
export function lacksUuid(change: Change): boolean {
  if (change.kind === 'insert') return false;
  const uuid = change.key?.uuid;
  return uuid === undefined || uuid === null || (typeof uuid === 'string' && uuid.trim() === '');
}

/** The requests of a change, in order. Throws if the change cannot be sent. */
export function requestsOf(reader: CollectionReader, change: Change): WriteRequest[] {
  const { collection, tenant } = reader;
  const ofTenant = tenant !== undefined && { query: { tenant } };
  if (change.kind === 'delete') {
    // The path without the class would delete this uuid from every collection.
    return [{ method: 'DELETE', path: objectPath(collection, uuidOf(change.key)), ...ofTenant }];
  }
  const { properties, references } = propertiesOf(reader, change);
  const shared = { class: collection.name, ...(tenant !== undefined && { tenant }) };
  if (change.kind === 'insert') {
    const sets = { ...properties, ...references };
    return [{ method: 'POST', path: '/v1/objects', body: objectOf(reader, change), sets }];
  }
  const id = uuidOf(change.key);
  // A PATCH would add to a reference. Only a PUT replaces it. Each PUT can be sent again without harm.
  const replaced = Object.entries(references).map(
    ([name, value]): WriteRequest => ({
      method: 'PUT',
      path: `${objectPath(collection, id)}/references/${name}`,
      ...ofTenant,
      body: value ?? [],
      sets: { [name]: value },
    }),
  );
  if (Object.keys(properties).length === 0 && replaced.length > 0) return replaced;
  const patch: WriteRequest = {
    method: 'PATCH',
    path: `/v1/objects/${id}`,
    query: { class: collection.name },
    body: { ...shared, id, properties },
    sets: properties,
  };
  return [...replaced, patch];
}

/** A new object in the form that the server accepts, alone or in a batch. Throws if a value does not fit. */
export function objectOf(reader: CollectionReader, change: Insert): Json {
  const { collection, tenant } = reader;
  const { properties, references, vectors } = propertiesOf(reader, change);
  const { '': vector, ...named } = vectors;
  const id = newId(change);
  return {
    class: collection.name,
    ...(tenant !== undefined && { tenant }),
    ...(id && { id }),
    properties: { ...properties, ...references },
    ...(vector !== undefined && { vector }),
    ...(Object.keys(named).length > 0 && { vectors: named }),
  };
}

/** Every name is checked against the schema: the server could create a new property for a misspelt name. */
function propertiesOf(
  reader: CollectionReader,
  change: Change & { kind: 'insert' | 'update' },
): Record<'properties' | 'references' | 'vectors', { [name: string]: Json }> {
  const columns = gridColumns(reader.collection);
  // Not plain objects: those would lose a property named `__proto__`.
  const properties = new Map<string, Json>();
  const references = new Map<string, Json>();
  /** The key '' is the unnamed vector. */
  const vectors = new Map<string, Json>();
  for (const [name, cell] of Object.entries(change.values)) {
    const column = findColumn(columns, name, reader.collection);
    if (column.source.kind === 'id' && change.kind === 'insert') continue;
    if (column.source.kind === 'vector' && change.kind === 'insert') {
      if (cell !== null) vectors.set(column.source.name ?? '', writableVector(cell, name));
      continue;
    }
    const reason = readOnlyReason(column);
    if (reason || column.source.kind !== 'property') {
      throw new DriverError({ code: 'invalid_argument', message: `${name} cannot be written: ${reason}` });
    }
    const { property } = column.source;
    const value = writableValue(cell, property, name);
    const group = property.elementType === 'reference' ? references : properties;
    if (value !== null || change.kind === 'update') group.set(property.name, value);
  }
  return {
    properties: Object.fromEntries(properties),
    references: Object.fromEntries(references),
    vectors: Object.fromEntries(vectors),
  };
}

/** The id of a new object: typed by the user, or chosen by the driver. Null if it has none yet. */
export function newId({ values, key }: Insert): string | null {
  return typedId(values.uuid) ?? (key ? uuidOf(key) : null);
}

/** The id that the user typed. Null if there is none. */
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
