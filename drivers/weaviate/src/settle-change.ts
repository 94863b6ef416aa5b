import type { Change, ChangeOutcome, DriverErrorDetails, Json } from '@trestle/driver-kit';
import type { WeaviateObject } from './cells.ts';
import type { CollectionReader } from './collection-reader.ts';
import { lookRepeatedly } from './look-repeatedly.ts';
import { holdsOnly, holdsValues, holdsVectors } from './same-values.ts';
import type { Sent } from './sent-change.ts';
import { readSurely } from './sure-read.ts';
import { newId, requestsOf, uuidOf, type WriteRequest } from './write-request.ts';

/** How many rows are read at the same time. */
const width = 8;

interface Lost {
  change: Change;
  requests: WriteRequest[];
  /** The error if the outcome stays unclear. Without one, the app writes its own. */
  doubt?: DriverErrorDetails;
  /** The error if the change was not made. Null: the server may still make it, so the outcome stays unclear. */
  failure: DriverErrorDetails | null;
  /** The driver has just chosen the id, and no earlier request had it. So an object with this id is this row. */
  isOwnId?: boolean;
}

/** Reads the row to find out how a change ended that was sent and has no clear answer. */
export async function settleChange(
  reader: CollectionReader,
  { rowTimeoutMs, ...lost }: Lost & { rowTimeoutMs: number },
): Promise<Sent> {
  const outcome = await lookAt(reader.within(AbortSignal.timeout(rowTimeoutMs)), lost);
  // If rows get no answer one after the other, the save ends, even if the server still answers reads.
  return { outcome, answered: outcome.status !== 'unknown' || lost.failure !== null };
}

/** The same for changes that another process sent, or an earlier save. */
export async function settleChanges(
  reader: CollectionReader,
  changes: readonly Change[],
  { recent }: { recent: boolean },
): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  const waiting = changes.values();
  const look = async () => {
    for (const change of waiting) {
      const failure = recent ? null : undone(change);
      const requests = requestsNow(reader, change);
      outcomes.push(
        requests ? await lookAt(reader, { change, requests, failure }) : { id: change.id, status: 'unknown' },
      );
    }
  };
  await Promise.all(Array.from({ length: width }, look));
  return outcomes;
}

/** Null if the collection has changed since then and no longer accepts such a change. */
function requestsNow(reader: CollectionReader, change: Change): WriteRequest[] | null {
  try {
    return requestsOf(reader, change);
  } catch {
    return null;
  }
}

async function lookAt(reader: CollectionReader, lost: Lost): Promise<ChangeOutcome> {
  const { change, doubt, failure } = lost;
  const id = change.kind === 'insert' ? newId(change) : uuidOf(change.key);
  const named = change.kind === 'insert' && id !== null ? { key: { uuid: id } } : {};
  const unknown: ChangeOutcome = {
    id: change.id,
    status: 'unknown',
    ...(doubt && { error: doubt }),
    ...named,
  };
  if (id === null) return unknown;
  try {
    let state = 'undone' as State;
    await lookRepeatedly(async () => {
      state = await stateOf(reader, id, lost);
      return state !== 'undone';
    }, reader.signal);
    if (state === 'done') return { id: change.id, status: 'applied', ...named };
    if (state === 'other') return { ...unknown, error: otherValues(id) };
    return failure ? { id: change.id, status: 'failed', error: failure, ...named } : unknown;
  } catch {
    return unknown;
  }
}

/** `other`: an object with the id of the new row is there, and may be this row or another one. */
type State = 'done' | 'undone' | 'other';

async function stateOf(
  reader: CollectionReader,
  id: string,
  { change, requests, isOwnId }: Lost,
): Promise<State> {
  const withVectors = change.kind === 'insert' && sendsVectors(requests);
  const object = await readSurely(reader, id, { withVectors });
  if (change.kind === 'delete') return object === null ? 'done' : 'undone';
  if (object === null) return 'undone';
  if (change.kind === 'update')
    return holdsValues(object, setsOf(requests), reader.collection) ? 'done' : 'undone';
  return isOwnId || isSameRow(object, requests, reader) ? 'done' : 'other';
}

/** Whether a new row was stored under this id. */
export async function isStoredAs(
  reader: CollectionReader,
  id: string,
  requests: WriteRequest[],
): Promise<boolean> {
  const object = await readSurely(reader, id, { withVectors: sendsVectors(requests) });
  return object !== null && isSameRow(object, requests, reader);
}

function isSameRow(
  object: WeaviateObject,
  requests: WriteRequest[],
  { collection }: CollectionReader,
): boolean {
  return holdsOnly(object, setsOf(requests), collection) && holdsVectors(object, vectorsOf(requests));
}

function setsOf(requests: WriteRequest[]): { [name: string]: Json } {
  return Object.assign({}, ...requests.map(({ sets }) => sets));
}

function sendsVectors(requests: WriteRequest[]): boolean {
  return Object.keys(vectorsOf(requests)).length > 0;
}

/** The vectors that were sent. The key '' is the unnamed vector. */
function vectorsOf([insert]: WriteRequest[]): { [name: string]: Json } {
  const { vector, vectors } = (insert?.body ?? {}) as { vector?: Json; vectors?: { [name: string]: Json } };
  return { ...vectors, ...(vector !== undefined && { '': vector }) };
}

function undone(change: Change): DriverErrorDetails {
  const state = {
    insert: 'the object is not there',
    update: 'the object does not hold these values',
    delete: 'the object is still there',
  }[change.kind];
  return { code: 'query_failed', message: `Not stored; ${state}`, hint: 'Save again.' };
}

/** A new id would store the row a second time if the object is this row. So the user is asked to look first. */
function otherValues(id: string): DriverErrorDetails {
  return {
    code: 'conflict',
    message: `The object ${id} is there, and does not hold exactly these values: it may be this row`,
    hint: 'Look at it. If it is this row, discard this one. If not, give this one another uuid.',
  };
}
