import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Cell, Change, ChangeOutcome, DriverErrorDetails, Json } from '@trestle/driver-kit';
import { propertyCell, type WeaviateObject } from './cells.ts';
import type { Sent } from './changes.ts';
import type { CollectionReader } from './collection-reader.ts';
import type { Collection, Property } from './schema.ts';
import { typedId, uuidOf, type WriteRequest } from './write-request.ts';

/** Between two looks: a server may still be at work on a request whose connection is gone. */
const pausesMs = [0, 200, 800];

/** Finds out from the row itself what became of a change that was sent and never answered. */
export async function settleChange(
  reader: CollectionReader,
  lost: { change: Change; request: WriteRequest; rowTimeoutMs: number; cause: DriverErrorDetails },
): Promise<Sent> {
  const { change, request, cause } = lost;
  const id = change.kind === 'insert' ? typedId(change.values.uuid) : uuidOf(change.key);
  if (id === null) return { outcome: unknown(change, cause), answered: false };
  const looking = reader.within(AbortSignal.timeout(lost.rowTimeoutMs));
  try {
    let object: WeaviateObject | null = null;
    for (const pause of pausesMs) {
      await delay(pause);
      object = await looking.read(id, false);
      if (isDone(change, object, request, reader.collection)) {
        const key = change.kind === 'insert' ? { key: { uuid: id } } : {};
        return { outcome: { id: change.id, status: 'applied', ...key }, answered: true };
      }
    }
    const error = change.kind === 'insert' && object ? taken(id) : undone(change, cause);
    return { outcome: { id: change.id, status: 'failed', error }, answered: true };
  } catch {
    return { outcome: unknown(change, cause), answered: false };
  }
}

function isDone(
  change: Change,
  object: WeaviateObject | null,
  request: WriteRequest,
  collection: Collection,
): boolean {
  if (change.kind === 'delete') return object === null;
  return object !== null && holds(object, request, collection);
}

/** Whether the object holds every value that was sent. */
function holds(object: WeaviateObject, request: WriteRequest, collection: Collection): boolean {
  const sent = (request.body?.properties ?? {}) as { [name: string]: Json };
  return Object.entries(sent).every(([name, value]) => {
    const property = collection.properties.find((one) => one.name === name);
    if (!property) return false;
    const stored = comparable(object.properties?.[name], property);
    return isDeepStrictEqual(stored, comparable(value, property));
  });
}

/** The server writes dates and phone numbers in its own way. */
function comparable(value: Json | undefined, property: Property): Cell {
  const cell = propertyCell(value, property);
  if (property.elementType === 'date') {
    return Array.isArray(cell) ? cell.map((one) => Date.parse(String(one))) : Date.parse(String(cell));
  }
  if (property.elementType === 'phoneNumber') {
    return (cell as { input?: string } | null)?.input ?? null;
  }
  return cell;
}

function unknown(change: Change, cause: DriverErrorDetails): ChangeOutcome {
  return {
    id: change.id,
    status: 'unknown',
    error: {
      ...cause,
      message: `Sent, but the answer never came: ${cause.message}`,
      hint: 'Look whether it was stored before you send it again.',
    },
  };
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
