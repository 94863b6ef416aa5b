import type { ChangeOutcome, DriverErrorDetails } from '@trestle/driver-kit';
import type { CollectionReader } from './collection-reader.ts';
import { existingIds, surelyThere } from './existing-ids.ts';
import type { NewObject } from './import-batches.ts';
import { lookRepeatedly } from './look-repeatedly.ts';
import { doubtfulFailure, lostAnswer, storedWithError } from './sent-change.ts';

/** A new object that was sent and may be stored. */
export interface Doubt {
  object: NewObject;
  cause: DriverErrorDetails;
  /** The server no longer works on the object. If false, the server may still store the object. */
  hasEnded: boolean;
}

export interface SettledDoubts {
  /** In the order of the doubts. */
  outcomes: ChangeOutcome[];
  found: number;
  /** False if the lookup failed or was cancelled. */
  isSure: boolean;
}

/**
 * Looks for all objects together. None of the ids existed before the batch was sent, so an object that exists now
 * counts as stored by the batch. If the import is cancelled, the lookup ends at its next pause. Objects that were not
 * found by then are unknown.
 */
export async function settleDoubts(
  reader: CollectionReader,
  doubts: Doubt[],
  { timeoutMs }: { timeoutMs: number },
): Promise<SettledDoubts> {
  const found = new Set<string>();
  const looking = () => reader.within(AbortSignal.timeout(timeoutMs));
  const missing = () => doubts.filter(({ object }) => !found.has(object.id));
  let isSure = true;
  try {
    await lookRepeatedly(async () => {
      for (const id of await existingIds(looking(), idsOf(missing()))) found.add(id);
      return missing().length === 0;
    }, reader.signal);
    const ended = missing().filter(({ hasEnded }) => hasEnded);
    for (const id of await surelyThere(looking(), idsOf(ended))) found.add(id);
  } catch {
    isSure = false;
  }
  const outcomes = doubts.map((doubt) => outcomeOf(doubt, { isThere: found.has(doubt.object.id), isSure }));
  return { outcomes, found: found.size, isSure };
}

function idsOf(doubts: Doubt[]): string[] {
  return doubts.map(({ object }) => object.id);
}

function outcomeOf(
  { object: { change, id }, cause, hasEnded }: Doubt,
  { isThere, isSure }: { isThere: boolean; isSure: boolean },
): ChangeOutcome {
  if (isThere) {
    // If `hasEnded` is false, the cause may be only a lost answer. So there is no warning.
    const warning = hasEnded && { warning: storedWithError(cause) };
    return { id: change.id, status: 'applied', ...warning, key: { uuid: id } };
  }
  // A server that has not ended the request may still store the object.
  if (isSure && hasEnded) return { id: change.id, status: 'failed', error: cause };
  const error = hasEnded ? doubtfulFailure(cause) : lostAnswer(cause);
  return { id: change.id, status: 'unknown', error, key: { uuid: id } };
}
