import type { Change, ChangeOutcome, DriverErrorDetails } from '@trestle/driver-kit';
import type { CollectionReader } from './collection-reader.ts';
import { settleChange } from './settle-change.ts';
import { requestsOf, type WriteRequest } from './write-request.ts';

/** How many rows are read at the same time. */
const width = 8;

/**
 * An earlier save or another process sent these changes. Finds out which of them the server has made. `recent`: the
 * server may still work on them, so a change that is not made is `unknown`, not `failed`.
 */
export async function settleChanges(
  reader: CollectionReader,
  changes: readonly Change[],
  { recent }: { recent: boolean },
): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  const waiting = changes.values();
  const look = async () => {
    for (const change of waiting) outcomes.push(await outcomeOf(reader, change, { recent }));
  };
  await Promise.all(Array.from({ length: width }, look));
  return outcomes;
}

async function outcomeOf(
  reader: CollectionReader,
  change: Change,
  { recent }: { recent: boolean },
): Promise<ChangeOutcome> {
  const requests = requestsNow(reader, change);
  if (!requests) return { id: change.id, status: 'unknown' };
  return settleChange(reader, { change, requests, failure: recent ? null : notMade(change) });
}

/** Null if the collection has changed since the change was sent, and no longer accepts such a change. */
function requestsNow(reader: CollectionReader, change: Change): WriteRequest[] | null {
  try {
    return requestsOf(reader, change);
  } catch {
    return null;
  }
}

function notMade(change: Change): DriverErrorDetails {
  const state = {
    insert: 'the object is not there',
    update: 'the object does not hold these values',
    delete: 'the object is still there',
  }[change.kind];
  return { code: 'query_failed', message: `Not saved; ${state}`, hint: 'Save again.' };
}
