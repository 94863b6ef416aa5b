import {
  type Cell,
  type Change,
  type ChangeOutcome,
  type ChangePreview,
  type ChangeSet,
  DriverError,
  type DriverLogEntry,
  driverErrorDetails,
  type Json,
  parseCell,
} from '@trestle/driver-kit';
import { type CollectionReader, objectPath } from './collection-reader.ts';
import { findColumn, gridColumns } from './columns.ts';
import { readOnlyReason } from './describe.ts';
import { failureOfAnswer } from './failure.ts';
import { writableValue } from './writable-value.ts';

interface WriteRequest {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string>;
  body?: Json;
}

/** One outcome a change, in order; a change that fails leaves the others alone. */
export async function applyChanges(
  reader: CollectionReader,
  { changes }: ChangeSet,
  log: (entry: DriverLogEntry) => void,
): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  for (const change of changes) {
    if (change.kind !== 'insert' && change.key === null) {
      log({
        level: 'warn',
        message: `Skipped ${change.kind} of a row without uuid in ${reader.collection.name}`,
      });
      outcomes.push({ id: change.id, status: 'skipped' });
      continue;
    }
    try {
      const key = await apply(reader, change);
      outcomes.push({ id: change.id, status: 'applied', ...(key && { key }) });
    } catch (error) {
      // A cancelled save must not look like one failed row: what was not sent yet is not sent at all.
      if (reader.signal.aborted) throw error;
      outcomes.push({ id: change.id, status: 'failed', error: driverErrorDetails(error) });
    }
  }
  return outcomes;
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

async function apply(reader: CollectionReader, change: Change): Promise<{ uuid: string } | null> {
  const request = requestOf(reader, change);
  if (change.kind === 'delete') await requireObject(reader, request.path);
  const send = (one: WriteRequest) => reader.client.send({ ...one, ceiling: 'write', signal: reader.signal });
  let answer = await send(request);
  if (answer.status === 410 && change.kind === 'update') {
    // Clusters with namespaces have dropped the documented path.
    answer = await send({
      ...request,
      path: objectPath(reader.collection, uuidOf(change.key)),
      query: undefined,
    });
  }
  if (answer.status === 404 && change.kind !== 'insert') throw rowGone();
  if (answer.status < 200 || answer.status > 299) throw rowFailure(answer, request.path);
  if (change.kind !== 'insert') return null;
  return { uuid: String((JSON.parse(answer.body) as { id: string }).id) };
}

function requestOf(reader: CollectionReader, change: Change): WriteRequest {
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

function typedId(cell: Cell | undefined): string | null {
  if (cell === undefined || cell === null || cell === '') return null;
  const parsed = parseCell(String(cell), 'uuid');
  if (!parsed.ok) throw new DriverError({ code: 'invalid_argument', message: `uuid: ${parsed.problem}` });
  return String(parsed.cell);
}

function uuidOf(key: Record<string, Cell> | null): string {
  const parsed = parseCell(String(key?.uuid ?? ''), 'uuid');
  if (!parsed.ok) throw new DriverError({ code: 'invalid_argument', message: `uuid: ${parsed.problem}` });
  return String(parsed.cell);
}

/** The server answers a delete of nothing with success. */
async function requireObject(reader: CollectionReader, path: string): Promise<void> {
  const query = { tenant: reader.tenant };
  const answer = await reader.client.send({
    method: 'HEAD',
    path,
    query,
    ceiling: 'read',
    signal: reader.signal,
  });
  if (answer.status === 404) throw rowGone();
}

function rowGone(): DriverError {
  return new DriverError({
    code: 'not_found',
    message: 'This object no longer exists',
    hint: 'Read the rows again to see those that are there now.',
  });
}

function rowFailure(answer: { status: number; body: string }, path: string): DriverError {
  const failure = failureOfAnswer(answer, path);
  if (!/already exists/.test(failure.message)) return failure;
  return new DriverError({
    code: 'conflict',
    message: failure.message,
    hint: 'Leave the uuid empty to get a new one, or edit the existing object.',
  });
}
