import type { Change, ChangeOutcome, DriverErrorDetails } from '@trestle/driver-kit';
import type { WeaviateObject } from './cells.ts';
import type { CollectionReader } from './collection-reader.ts';
import { conflictOf, expectsVectors, isExpecting } from './conflict.ts';
import { lookRepeatedly } from './look-repeatedly.ts';
import { partlyStored } from './partly-stored.ts';
import type { SecretCells } from './secret-cells.ts';
import { isSameRow, isUpdated, sendsVectors } from './stored-row.ts';
import { readSurely } from './sure-read.ts';
import { newId, uuidOf, type WriteRequest } from './write-request.ts';

/** A change that was sent. Its answer was lost, or does not say whether the change was made. */
export interface UnsettledChange {
  change: Change;
  requests: WriteRequest[];
  /**
   * The error if a read does not find the change. If null, the server may still make the change, so the outcome is then
   * unknown.
   */
  failure: DriverErrorDetails | null;
  /** The error of an unknown outcome, except for `other object`. If undefined, the app writes one. */
  doubt?: DriverErrorDetails;
  /** The warning if the change was made. */
  warning?: string;
  /** The cells that must not be compared. Undefined if the caller may see all. */
  secret?: SecretCells;
  /** The driver has just chosen the id, and no earlier request had it. So an object with this id is this row. */
  isOwnId?: boolean;
}

/** Reads the row to find out whether the change was made. */
export async function settleChange(
  reader: CollectionReader,
  unsettled: UnsettledChange,
): Promise<ChangeOutcome> {
  const { change, failure, doubt, warning } = unsettled;
  const row = change.kind === 'insert' ? newId(change) : uuidOf(change.key);
  const key = change.kind === 'insert' && row !== null ? { key: { uuid: row } } : {};
  const unknown: ChangeOutcome = { id: change.id, status: 'unknown', ...(doubt && { error: doubt }), ...key };
  if (row === null) return unknown;
  try {
    const { state, object } = await lastStateOf(reader, row, unsettled);
    if (object && comparesSecret(object, unsettled)) return unknown;
    switch (state) {
      case 'made':
        return { id: change.id, status: 'applied', ...(warning !== undefined && { warning }), ...key };
      case 'other object':
        return { ...unknown, error: otherObject(row) };
      case 'not made': {
        const conflict = isExpecting(change) ? conflictOf(change, object, reader.collection) : null;
        if (conflict) return conflict;
        const open: ChangeOutcome = failure
          ? { id: change.id, status: 'failed', error: failure, ...key }
          : unknown;
        if (change.kind !== 'update' || object === null) return open;
        const done = unsettled.requests.filter((request) => isUpdated(object, [request], reader));
        return partlyStored(open, unsettled.requests, { done, collection: reader.collection });
      }
    }
  } catch {
    return unknown;
  }
}

/** Whether the outcome would tell if the change holds a value that its caller may not see. */
function comparesSecret(object: WeaviateObject, { change, secret, isOwnId }: UnsettledChange): boolean {
  if (!secret || isOwnId) return false;
  const set = change.kind === 'delete' ? {} : change.values;
  const expected = change.kind === 'insert' ? {} : change.expected;
  return secret.find(object, Object.keys({ ...set, ...expected })) !== undefined;
}

interface Found {
  /** `other object`: the id of the new row exists with other values. The object may be this row or another row. */
  state: 'made' | 'not made' | 'other object';
  object: WeaviateObject | null;
}

/** Reads the row repeatedly, a few times at most, because the server may still work on the change. */
async function lastStateOf(
  reader: CollectionReader,
  row: string,
  unsettled: UnsettledChange,
): Promise<Found> {
  let found: Found = { state: 'not made', object: null };
  await lookRepeatedly(async () => {
    found = await find(reader, row, unsettled);
    return found.state !== 'not made';
  }, reader.signal);
  return found;
}

async function find(reader: CollectionReader, row: string, unsettled: UnsettledChange): Promise<Found> {
  const { change, requests } = unsettled;
  const withVectors = isExpecting(change)
    ? expectsVectors(change, reader.collection)
    : change.kind === 'insert' && sendsVectors(requests);
  const object = await readSurely(reader, row, { withVectors });
  return { state: stateOf(object, reader, unsettled), object };
}

function stateOf(
  object: WeaviateObject | null,
  reader: CollectionReader,
  { change, requests, isOwnId }: UnsettledChange,
): Found['state'] {
  if (change.kind === 'delete') return object === null ? 'made' : 'not made';
  if (object === null) return 'not made';
  if (change.kind === 'update') return isUpdated(object, requests, reader) ? 'made' : 'not made';
  return isOwnId || isSameRow(object, requests, reader) ? 'made' : 'other object';
}

/** If the object is this row, saving the row under a new id would store it twice. So the hint says to look first. */
function otherObject(id: string): DriverErrorDetails {
  return {
    code: 'conflict',
    message: `The object ${id} exists, but its values differ. It may still be this row`,
    hint: 'Look at the object. If it is this row, discard the staged row. If not, give the staged row another uuid.',
  };
}
