import { setTimeout as delay } from 'node:timers/promises';
import {
  type ChangeOutcome,
  DriverError,
  type DriverErrorDetails,
  driverErrorDetails,
  type Json,
} from '@trestle/driver-kit';
import { noAnswer } from './changes.ts';
import type { CollectionReader } from './collection-reader.ts';
import { existingIds } from './existing-ids.ts';
import { failureOfAnswer, mayHaveStored, queryFailure } from './failure.ts';
import type { NewObject } from './import-batches.ts';
import { unknownOutcome } from './sent-change.ts';

interface StoreOptions {
  timeoutMs: number;
  /** False: if the server refuses the request, it is not divided to find the bad object. */
  splits?: boolean;
}

export interface Stored {
  outcomes: ChangeOutcome[];
  /** False if the server sent no answer at all. */
  answered: boolean;
}

/**
 * Stores new objects with one request. None of their ids exists. It has its own deadline, like a saved row.
 */
export async function storeBatch(
  reader: CollectionReader,
  objects: NewObject[],
  { timeoutMs, splits = true }: StoreOptions,
): Promise<Stored> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const progress = { sent: false };
  try {
    const answer = await reader.client.send({
      method: 'POST',
      path: '/v1/batch/objects',
      body: `{"objects":[${objects.map(({ text }) => text).join(',')}]}`,
      ceiling: 'write',
      signal: deadline,
      onSent: () => {
        progress.sent = true;
      },
    });
    if (answer.status >= 200 && answer.status <= 299)
      return { outcomes: readAnswer(objects, reader.client.parse(answer.body)), answered: true };
    const failure = failureOfAnswer(answer, '/v1/batch/objects');
    if (mayHaveStored(answer)) {
      const cause = driverErrorDetails(failure);
      return settleBatch(reader, objects, { cause, timeoutMs });
    }
    // The server refuses the whole request because of one object that it cannot parse. The others are stored
    // without it.
    if (splits && refusals.has(answer.status) && objects.length > 1)
      return inHalves(reader, objects, { timeoutMs });
    return { outcomes: allFailed(objects, driverErrorDetails(failure)), answered: true };
  } catch (thrown) {
    const cause = deadline.aborted ? noAnswer(timeoutMs) : driverErrorDetails(thrown);
    const isSilence = deadline.aborted || cause.code === 'connection_failed';
    if (isSilence && progress.sent) return settleBatch(reader, objects, { cause, timeoutMs });
    return { outcomes: allFailed(objects, cause), answered: !isSilence };
  }
}

const refusals = new Set([400, 413, 422]);

async function inHalves(
  reader: CollectionReader,
  objects: NewObject[],
  options: { timeoutMs: number },
): Promise<Stored> {
  const middle = Math.ceil(objects.length / 2);
  const first = await storeBatch(reader, objects.slice(0, middle), options);
  // If a whole half fails for one reason, the cause is probably not a single object, and each further request
  // would get the same answer. So the other half is sent once and not divided.
  const reason = first.outcomes[0]?.error;
  const isGeneral =
    middle > 1 &&
    reason !== undefined &&
    first.outcomes.every(({ error }) => error?.message === reason.message);
  const second = await storeBatch(reader, objects.slice(middle), { ...options, splits: !isGeneral });
  return {
    outcomes: [...first.outcomes, ...second.outcomes],
    answered: first.answered || second.answered,
  };
}

interface BatchResult {
  result?: { status?: string; errors?: { error?: { message?: string }[] } | null };
}

/** The answer has one element for each object, in their order. */
function readAnswer(objects: NewObject[], answer: Json): ChangeOutcome[] {
  if (!Array.isArray(answer)) {
    const message = 'The answer does not name the stored objects';
    throw new DriverError({ code: 'connection_failed', message });
  }
  const results = answer as (BatchResult | null)[];
  return objects.map(({ change, id }, index): ChangeOutcome => {
    const { status, errors } = results[index]?.result ?? {};
    if (status === 'SUCCESS') return { id: change.id, status: 'applied', key: { uuid: id } };
    const said = (errors?.error ?? []).map(({ message }) => message).join('; ');
    const failure = queryFailure(said || 'The server gave no result for this object');
    return { id: change.id, status: 'failed', error: driverErrorDetails(failure) };
  });
}

/** Pauses between reads: a server may still work on a request whose connection is gone. */
const pausesMs = [0, 300, 1200];

/** None of these ids existed a moment ago, so an object that exists now came with the batch. */
async function settleBatch(
  reader: CollectionReader,
  objects: NewObject[],
  { cause, timeoutMs }: { cause: DriverErrorDetails; timeoutMs: number },
): Promise<Stored> {
  const ids = objects.map(({ id }) => id);
  let found = new Set<string>();
  try {
    for (const pause of pausesMs) {
      await delay(pause);
      found = await existingIds(reader.within(AbortSignal.timeout(timeoutMs)), ids);
      if (found.size === ids.length) break;
    }
  } catch {
    return { outcomes: objects.map(({ change }) => unknownOutcome(change, cause)), answered: false };
  }
  // The server answers, so the import continues with the next batch.
  const lost: DriverErrorDetails = {
    code: 'query_failed',
    message: `${cause.message}; the object does not exist`,
    hint: 'Import it again.',
  };
  return {
    outcomes: objects.map(({ change, id }) =>
      found.has(id)
        ? { id: change.id, status: 'applied', key: { uuid: id } }
        : { id: change.id, status: 'failed', error: lost },
    ),
    answered: true,
  };
}

export function allFailed(objects: NewObject[], error: DriverErrorDetails): ChangeOutcome[] {
  return objects.map(({ change }) => ({ id: change.id, status: 'failed', error }));
}

export function cancelledBatch(): DriverError {
  return new DriverError({ code: 'cancelled', message: 'Not sent: the import was cancelled' });
}
