import {
  type ChangeOutcome,
  DriverError,
  type DriverErrorDetails,
  driverErrorDetails,
} from '@trestle/driver-kit';
import { type Judged, readAnswer } from './batch-answer.ts';
import { noAnswer } from './changes.ts';
import type { CollectionReader } from './collection-reader.ts';
import { failureOfAnswer } from './failure.ts';
import type { NewObject } from './import-batches.ts';
import { settleDoubts } from './settle-batch.ts';
import { fateOfWrite } from './write-fate.ts';

interface StoreOptions {
  timeoutMs: number;
  /** False: if the server refuses the request, the batch is not divided to find the bad object. */
  splits?: boolean;
}

export interface Stored {
  outcomes: ChangeOutcome[];
  /** False if the server may be gone. After several unanswered batches in sequence, the import sends no more. */
  answered: boolean;
  /** Why the request itself failed, if the outcomes come from a later read. */
  cause?: DriverErrorDetails;
}

/**
 * Stores new objects with one request, or in halves if the server refuses the whole request. The caller has checked
 * that none of the ids exists. Each request has its own deadline.
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
      providerKeys: reader.providerKeys,
      signal: deadline,
      onSent: () => {
        progress.sent = true;
      },
    });
    if (answer.status >= 200 && answer.status <= 299)
      return settleJudged(reader, readAnswer(objects, reader.client.parse(answer.body)), { timeoutMs });
    const failure = failureOfAnswer(answer, '/v1/batch/objects');
    const fate = fateOfWrite(answer);
    if (fate !== 'refused') {
      const cause = driverErrorDetails(failure);
      return settleBatch(reader, objects, { cause, hasEnded: fate === 'ended', timeoutMs });
    }
    // The server may refuse the whole request because of one object that it cannot parse. In halves, the server can
    // store the other objects.
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
  // If a whole half fails for one reason, the cause is probably not a single object. Each further request would then
  // get the same answer. So the other half is sent once and not divided.
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

/** Looks for the objects for which the answer does not say whether they are stored. */
async function settleJudged(
  reader: CollectionReader,
  judged: Judged[],
  { timeoutMs }: { timeoutMs: number },
): Promise<Stored> {
  const doubts = judged.flatMap((one) => ('doubt' in one ? [one.doubt] : []));
  const { outcomes } = await settleDoubts(reader, doubts, { timeoutMs });
  const settled = outcomes.values();
  return {
    outcomes: judged.map((one) => ('doubt' in one ? settled.next().value! : one.outcome)),
    answered: true,
  };
}

/** Looks for all objects of a batch after a failure of the whole request. */
async function settleBatch(
  reader: CollectionReader,
  objects: NewObject[],
  { cause, hasEnded, timeoutMs }: { cause: DriverErrorDetails; hasEnded: boolean; timeoutMs: number },
): Promise<Stored> {
  const doubts = objects.map((object) => ({ object, cause, hasEnded }));
  const { outcomes, found, isSure } = await settleDoubts(reader, doubts, { timeoutMs });
  // A batch without a final answer and without a stored object counts as unanswered, even if the server answered the
  // reads.
  return { outcomes, answered: isSure && (hasEnded || found > 0), cause };
}

export function allFailed(objects: NewObject[], error: DriverErrorDetails): ChangeOutcome[] {
  return objects.map(({ change }) => ({ id: change.id, status: 'failed', error }));
}

export function cancelledBatch(): DriverError {
  return new DriverError({ code: 'cancelled', message: 'Not sent: the import was cancelled' });
}
