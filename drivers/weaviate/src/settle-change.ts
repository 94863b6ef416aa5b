import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Cell, Change, ChangeOutcome, DriverErrorDetails, Json } from '@trestle/driver-kit';
import { propertyCell, type WeaviateObject } from './cells.ts';
import type { CollectionReader } from './collection-reader.ts';
import type { Collection, Property } from './schema.ts';
import type { Sent } from './sent-change.ts';
import { unknownOutcome } from './sent-change.ts';
import { requestsOf, typedId, uuidOf, type WriteRequest } from './write-request.ts';

/** Pauses between reads of the row: a server may still work on a request whose connection is gone. */
const pausesMs = [0, 200, 800];

/** How many rows are read at the same time. */
const width = 8;

/** Reads the row to find out how a change ended that was sent and never answered. */
export async function settleChange(
  reader: CollectionReader,
  lost: { change: Change; requests: WriteRequest[]; rowTimeoutMs: number; cause: DriverErrorDetails },
): Promise<Sent> {
  const { change, cause } = lost;
  const looking = reader.within(AbortSignal.timeout(lost.rowTimeoutMs));
  const outcome = await lookAt(looking, lost);
  return outcome ? { outcome, answered: true } : { outcome: unknownOutcome(change, cause), answered: false };
}

/** The same for changes that another process sent. */
export async function settleChanges(
  reader: CollectionReader,
  changes: readonly Change[],
): Promise<ChangeOutcome[]> {
  const cause = { code: 'query_failed', message: 'Not stored' } as const;
  const outcomes: ChangeOutcome[] = [];
  const waiting = changes.values();
  const look = async () => {
    for (const change of waiting) {
      outcomes.push((await lookAtSent(reader, change, cause)) ?? { id: change.id, status: 'unknown' });
    }
  };
  await Promise.all(Array.from({ length: width }, look));
  return outcomes;
}

async function lookAtSent(
  reader: CollectionReader,
  change: Change,
  cause: DriverErrorDetails,
): Promise<ChangeOutcome | null> {
  try {
    return await lookAt(reader, { change, requests: requestsOf(reader, change), cause });
  } catch {
    // The collection has changed since then and no longer accepts such a change.
    return null;
  }
}

/** Null if the row cannot tell, or cannot be read. */
async function lookAt(
  reader: CollectionReader,
  { change, requests, cause }: { change: Change; requests: WriteRequest[]; cause: DriverErrorDetails },
): Promise<ChangeOutcome | null> {
  const id = change.kind === 'insert' ? typedId(change.values.uuid) : uuidOf(change.key);
  if (id === null) return null;
  try {
    let object: WeaviateObject | null = null;
    for (const pause of pausesMs) {
      await delay(pause);
      object = await reader.read(id, false);
      if (isDone(change, object, requests, reader.collection)) {
        const key = change.kind === 'insert' ? { key: { uuid: id } } : {};
        return { id: change.id, status: 'applied', ...key };
      }
    }
    const error = change.kind === 'insert' && object ? taken(id) : undone(change, cause);
    return { id: change.id, status: 'failed', error };
  } catch {
    return null;
  }
}

function isDone(
  change: Change,
  object: WeaviateObject | null,
  requests: WriteRequest[],
  collection: Collection,
): boolean {
  if (change.kind === 'delete') return object === null;
  return object !== null && holds(object, requests, collection);
}

/** Whether the object holds every value that was sent. */
function holds(object: WeaviateObject, requests: WriteRequest[], collection: Collection): boolean {
  const sent: { [name: string]: Json } = Object.assign({}, ...requests.map(({ sets }) => sets));
  return Object.entries(sent).every(([name, value]) => {
    const property = collection.properties.find((one) => one.name === name);
    if (!property) return false;
    const stored = comparable(object.properties?.[name], property);
    return isDeepStrictEqual(stored, comparable(value, property));
  });
}

/** The server stores dates and phone numbers in its own format, and coordinates as float32. */
function comparable(value: Json | undefined, property: Property): Cell {
  const cell = propertyCell(value, property);
  if (property.elementType === 'date') {
    return Array.isArray(cell) ? cell.map((one) => Date.parse(String(one))) : Date.parse(String(cell));
  }
  if (property.elementType === 'phoneNumber') {
    return (cell as { input?: string } | null)?.input ?? null;
  }
  if (property.elementType === 'geoCoordinates' && cell !== null) {
    const { latitude, longitude } = cell as { latitude: number; longitude: number };
    return { latitude: Math.fround(latitude), longitude: Math.fround(longitude) };
  }
  return cell;
}

function undone(change: Change, cause: DriverErrorDetails): DriverErrorDetails {
  const state = {
    insert: 'the object is not there',
    update: 'the object does not hold these values',
    delete: 'the object is still there',
  }[change.kind];
  return { ...cause, message: `${cause.message}; ${state}`, hint: 'Save again.' };
}

function taken(id: string): DriverErrorDetails {
  return {
    code: 'conflict',
    message: `id '${id}' already exists`,
    hint: 'Leave the uuid empty to get a new one, or edit the existing object.',
  };
}
