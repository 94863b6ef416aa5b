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
import { existingIds, surelyThere } from './existing-ids.ts';
import { failureOfAnswer, fateOfWrite, mayBeElsewhere, mayBeStored, queryFailure } from './failure.ts';
import type { NewObject } from './import-batches.ts';
import { doubtfulFailure, lostAnswer } from './sent-change.ts';

interface StoreOptions {
  timeoutMs: number;
  /** False: if the server refuses the request, it is not divided to find the bad object. */
  splits?: boolean;
}

export interface Stored {
  outcomes: ChangeOutcome[];
  /** False if the server sent no answer at all. */
  answered: boolean;
  /** The failure of the request itself, if the outcomes say more than that. */
  cause?: DriverErrorDetails;
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
      return settleDoubts(reader, readAnswer(objects, reader.client.parse(answer.body)), { timeoutMs });
    const failure = failureOfAnswer(answer, '/v1/batch/objects');
    const fate = fateOfWrite(answer);
    if (fate !== 'refused') {
      const cause = driverErrorDetails(failure);
      return settleBatch(reader, objects, { cause, hasEnded: fate === 'ended', timeoutMs });
    }
    // The server refuses the whole request because of one object that it cannot parse. The others are stored
    // without it.
    if (splits && refusals.has(answer.status) && objects.length > 1)
      return inHalves(reader, objects, { timeoutMs });
    return { outcomes: allFailed(objects, driverErrorDetails(failure)), answered: true };
  } catch (thrown) {
    const cause = deadline.aborted ? noAnswer(timeoutMs) : driverErrorDetails(thrown);
    const isSilence = deadline.aborted || cause.code === 'connection_failed';
    if (isSilence && progress.sent)
      return settleBatch(reader, objects, { cause, hasEnded: false, timeoutMs });
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

interface Judged {
  object: NewObject;
  outcome: ChangeOutcome;
  /** The object may be stored, whatever the outcome says. `open`: the server may also store it later. */
  doubt?: 'ended' | 'open';
}

/** The answer has one element for each object, in their order. */
function readAnswer(objects: NewObject[], answer: Json): Judged[] {
  if (!Array.isArray(answer)) {
    const message = 'The answer does not name the stored objects';
    throw new DriverError({ code: 'connection_failed', message });
  }
  const results = answer as (BatchResult | null)[];
  return objects.map((object, index): Judged => {
    const { id } = object.change;
    const { status, errors } = results[index]?.result ?? {};
    if (status === 'SUCCESS') return { object, outcome: { id, status: 'applied', key: { uuid: object.id } } };
    const said = (errors?.error ?? []).map(({ message }) => message).join('; ');
    const failure = queryFailure(said || 'The server gave no result for this object');
    const outcome: ChangeOutcome = { id, status: 'failed', error: driverErrorDetails(failure) };
    if (said === '' || mayBeElsewhere(said)) return { object, outcome, doubt: 'open' };
    return { object, outcome, ...(mayBeStored(said) && { doubt: 'ended' as const }) };
  });
}

/** Looks for the objects of a batch whose own errors leave open whether they are stored. */
async function settleDoubts(
  reader: CollectionReader,
  judged: Judged[],
  { timeoutMs }: { timeoutMs: number },
): Promise<Stored> {
  const doubtful = judged.filter(({ doubt }) => doubt !== undefined);
  const settled = new Map<string, ChangeOutcome>();
  // Objects with the same error are looked for together.
  for (const alike of Map.groupBy(doubtful, ({ outcome }) => outcome.error!.message).values()) {
    const [{ outcome, doubt }] = alike as [Judged];
    const objects = alike.map(({ object }) => object);
    const how = { cause: outcome.error!, hasEnded: doubt === 'ended', timeoutMs };
    const { outcomes } = await settleBatch(reader, objects, how);
    for (const one of outcomes) settled.set(one.id, one);
  }
  return { outcomes: judged.map(({ outcome }) => settled.get(outcome.id) ?? outcome), answered: true };
}

/** Pauses between reads: a server may still work on a request whose connection is gone. */
const pausesMs = [0, 300, 1200];

/** None of these ids existed a moment ago, so an object that exists now came with the batch. */
async function settleBatch(
  reader: CollectionReader,
  objects: NewObject[],
  { cause, hasEnded, timeoutMs }: { cause: DriverErrorDetails; hasEnded: boolean; timeoutMs: number },
): Promise<Stored> {
  const doubt = hasEnded ? doubtfulFailure(cause) : lostAnswer(cause);
  const outcomeOf = ({ change, id }: NewObject, state: 'there' | 'missing' | 'unknown'): ChangeOutcome => {
    if (state === 'there') return { id: change.id, status: 'applied', key: { uuid: id } };
    // A server that has not ended the request may still store the object.
    if (state === 'missing' && hasEnded) return { id: change.id, status: 'failed', error: cause };
    return { id: change.id, status: 'unknown', error: doubt, key: { uuid: id } };
  };
  const found = new Set<string>();
  try {
    let missing = objects.map(({ id }) => id);
    for (const pause of pausesMs) {
      await delay(pause);
      const looking = reader.within(AbortSignal.timeout(timeoutMs));
      for (const id of await existingIds(looking, missing)) found.add(id);
      missing = missing.filter((id) => !found.has(id));
      if (missing.length === 0) break;
    }
    const looking = reader.within(AbortSignal.timeout(timeoutMs));
    if (hasEnded) for (const id of await surelyThere(looking, missing)) found.add(id);
  } catch {
    return {
      outcomes: objects.map((object) => outcomeOf(object, found.has(object.id) ? 'there' : 'unknown')),
      answered: false,
      cause,
    };
  }
  return {
    outcomes: objects.map((object) => outcomeOf(object, found.has(object.id) ? 'there' : 'missing')),
    // If no batch gets an answer, the import ends, even if the server still answers reads.
    answered: hasEnded || found.size > 0,
    cause,
  };
}

export function allFailed(objects: NewObject[], error: DriverErrorDetails): ChangeOutcome[] {
  return objects.map(({ change }) => ({ id: change.id, status: 'failed', error }));
}

export function cancelledBatch(): DriverError {
  return new DriverError({ code: 'cancelled', message: 'Not sent: the import was cancelled' });
}
