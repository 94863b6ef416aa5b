import { type ChangeOutcome, DriverError, driverErrorDetails, type Json } from '@trestle/driver-kit';
import { isRecord } from './answer-shape.ts';
import { queryFailure } from './failure.ts';
import type { NewObject } from './import-batches.ts';
import type { Doubt } from './settle-batch.ts';
import { mayBeElsewhere, mayBeStored } from './write-fate.ts';

/** The result of one object: its outcome, or the reason why it is uncertain whether the object is stored. */
export type Judged = { outcome: ChangeOutcome } | { doubt: Doubt };

interface BatchResult {
  result?: { status?: string; errors?: { error?: unknown } | null };
}

/** Reads the answer to a batch. The answer has one element for each object, in the order of the objects. */
export function readAnswer(objects: NewObject[], answer: Json): Judged[] {
  if (!Array.isArray(answer)) {
    const message = 'The server did not answer with a list of the stored objects';
    throw new DriverError({ code: 'connection_failed', message });
  }
  const results = answer as (BatchResult | null)[];
  return withReadOnly(
    objects,
    objects.map((object, index) => judge(object, results[index]?.result ?? {})),
  );
}

/**
 * A shard that is read-only reports that for its first object only, and SUCCESS for the others of the batch, though it
 * stores none of them (1.27.27 and 1.39.0).
 */
function withReadOnly(objects: NewObject[], judged: Judged[]): Judged[] {
  const cause = judged
    .map((one) => ('outcome' in one ? one.outcome.error : undefined))
    .find((error) => error?.code === 'disk_full');
  if (!cause) return judged;
  return judged.map((one, at) =>
    'outcome' in one && one.outcome.status === 'applied'
      ? { doubt: { object: objects[at]!, cause, hasEnded: true } }
      : one,
  );
}

function judge(object: NewObject, { status, errors }: NonNullable<BatchResult['result']>): Judged {
  const { id } = object.change;
  if (status === 'SUCCESS') return { outcome: { id, status: 'applied', key: { uuid: object.id } } };
  const given = Array.isArray(errors?.error) ? errors.error : [];
  const said = given.flatMap((one) => (isRecord(one) && one.message ? [String(one.message)] : [])).join('; ');
  const cause = driverErrorDetails(queryFailure(said || 'The server gave no result for this object'));
  if (said === '' || mayBeElsewhere(said)) return { doubt: { object, cause, hasEnded: false } };
  if (mayBeStored(said)) return { doubt: { object, cause, hasEnded: true } };
  return { outcome: { id, status: 'failed', error: cause } };
}
