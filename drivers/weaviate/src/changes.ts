import {
  amount,
  type Change,
  type ChangeOutcome,
  DriverError,
  driverErrorDetails,
  type Insert,
} from '@trestle/driver-kit';
import { isRecord } from './answer-shape.ts';
import { type CollectionReader, objectPath } from './collection-reader.ts';
import { isExpecting } from './conflict.ts';
import { failureOfAnswer } from './failure.ts';
import { partlyStored } from './partly-stored.ts';
import type { SecretCells } from './secret-cells.ts';
import { doubtfulFailure, FailedWrite, lostAnswer, type Sent, storedWithError } from './sent-change.ts';
import { settleChange } from './settle-change.ts';
import { isStoredAs } from './stored-row.ts';
import { readSurely } from './sure-read.ts';
import { fateOfWrite } from './write-fate.ts';
import { newId, uuidOf, type WriteRequest } from './write-request.ts';

export interface Sending {
  change: Change;
  /** In the order in which they are sent. */
  requests: WriteRequest[];
  /** Whether the driver has just chosen the id of this new row. */
  isOwnId: boolean;
  secret: SecretCells;
  rowTimeoutMs: number;
  /** After this signal is aborted, a change that has not been sent yet is not sent. */
  cancelled: AbortSignal;
}

/**
 * Sends one change, with its own deadline. A cancelled save still waits for the answers to the requests that it has
 * sent.
 */
export async function sendChange(reader: CollectionReader, sending: Sending): Promise<Sent> {
  const { change, rowTimeoutMs } = sending;
  const deadline = AbortSignal.timeout(rowTimeoutMs);
  const progress = { sent: false };
  try {
    const key = await send(reader.within(deadline), sending, () => {
      progress.sent = true;
    });
    return { outcome: { id: change.id, status: 'applied', ...(key && { key }) }, answered: true };
  } catch (thrown) {
    if (thrown instanceof GoneRow && isExpecting(change))
      return { outcome: { id: change.id, status: 'conflict', theirs: null }, answered: true };
    const cause = deadline.aborted ? noAnswer(rowTimeoutMs) : driverErrorDetails(thrown);
    const isSilence = deadline.aborted || cause.code === 'connection_failed';
    const mayBeThere = isSilence || thrown instanceof FailedWrite || isTakenAgain(sending, cause);
    if (!mayBeThere || !progress.sent) {
      const failed: ChangeOutcome = { id: change.id, status: 'failed', error: cause };
      const done = thrown instanceof RefusedRest ? thrown.done : [];
      const outcome = partlyStored(failed, sending.requests, { done, collection: reader.collection });
      return { outcome, answered: !isSilence };
    }
    const verdicts = isSilence
      ? { doubt: lostAnswer(cause), failure: null }
      : { doubt: doubtfulFailure(cause), failure: cause };
    const warning = change.kind !== 'delete' && thrown instanceof FailedWrite && storedWithError(cause);
    const outcome = await settleChange(reader.within(AbortSignal.timeout(rowTimeoutMs)), {
      ...sending,
      ...verdicts,
      ...(warning && { warning }),
    });
    // If the write got no answer and the outcome stays unknown, the row counts as unanswered, even if the server
    // answered a later read. After several unanswered rows in sequence, the save sends no more.
    return { outcome, answered: outcome.status !== 'unknown' || !isSilence, cause };
  }
}

/**
 * Whether the id of a new row already exists, and the existing object may be this row: an earlier save may have stored
 * it, or a proxy may have sent the request twice.
 */
function isTakenAgain({ change, isOwnId }: Sending, { code }: { code: string }): boolean {
  return code === 'conflict' && change.kind === 'insert' && (isOwnId || change.key !== undefined);
}

async function send(
  reader: CollectionReader,
  { change, requests, cancelled }: Sending,
  onSent: () => void,
): Promise<{ uuid: string } | null> {
  const [first] = requests;
  if (change.kind === 'delete' && first) await requireObject(reader, change, first.path);
  if (change.kind === 'insert') await requireUnstored(reader, change, requests);
  if (cancelled.aborted) throw notSent();
  let body = '';
  for (const [index, request] of requests.entries()) {
    try {
      body = await sendOne(reader, change, request, onSent);
    } catch (error) {
      throw index > 0 && isRefusal(error) ? new RefusedRest(error, requests.slice(0, index)) : error;
    }
  }
  return change.kind === 'insert' ? { uuid: storedId(reader, body) } : null;
}

/** A success without an id does not say which row was stored, so it counts as no answer. */
function storedId(reader: CollectionReader, body: string): string {
  const object = reader.client.parse(body);
  if (isRecord(object) && typeof object.id === 'string') return object.id;
  throw new DriverError({ code: 'connection_failed', message: 'The answer does not name the stored object' });
}

async function sendOne(
  reader: CollectionReader,
  change: Change,
  request: WriteRequest,
  onSent: () => void,
): Promise<string> {
  const { signal } = reader;
  // A delete, or a PUT of references, makes no vector.
  const providerKeys = reader.providerKeys && (request.method === 'POST' || request.method === 'PATCH');
  const attempt = ({ sets: _, ...one }: WriteRequest) =>
    reader.client.send({ ...one, ceiling: 'write', signal, onSent, providerKeys });
  let answer = await attempt(request);
  if (answer.status === 410 && request.method === 'PATCH' && change.kind === 'update') {
    // A cluster with namespaces rejects the class in the query. It accepts the class in the path.
    answer = await attempt({
      ...request,
      path: objectPath(reader.collection, uuidOf(change.key)),
      query: undefined,
    });
  }
  if (answer.status === 404 && (await isGone(reader, change))) throw new GoneRow();
  if (answer.status < 200 || answer.status > 299) {
    const failure = rowFailure(answer, request.path);
    const fate = fateOfWrite(answer);
    if (fate === 'refused') throw failure;
    if (fate === 'ended') throw new FailedWrite(driverErrorDetails(failure));
    throw new DriverError({ code: 'connection_failed', message: failure.message });
  }
  return answer.body;
}

/** A request after the first was refused. The requests in `done` were made. */
class RefusedRest extends DriverError {
  readonly done: WriteRequest[];

  constructor(refusal: DriverError, done: WriteRequest[]) {
    super(driverErrorDetails(refusal));
    this.done = done;
  }
}

/** After a lost answer or a failure in the server, the caller reads the row to find out which requests were made. */
function isRefusal(error: unknown): error is DriverError {
  return (
    error instanceof DriverError &&
    error.code !== 'connection_failed' &&
    !(error instanceof FailedWrite || error instanceof GoneRow)
  );
}

export function notSent(): DriverError {
  return new DriverError({ code: 'cancelled', message: 'Not sent: the save was cancelled' });
}

export function noAnswer(rowTimeoutMs: number) {
  const seconds = rowTimeoutMs / 1000;
  return {
    code: 'timeout' as const,
    message: `No answer within ${amount(seconds, 'second')}`,
  };
}

/** Needed because the server reports success for a delete of an object that does not exist. */
async function requireObject(reader: CollectionReader, change: Change, path: string): Promise<void> {
  const query = { tenant: reader.tenant };
  const answer = await reader.client.send({
    method: 'HEAD',
    path,
    query,
    ceiling: 'read',
    signal: reader.signal,
  });
  if (answer.status === 404 && (await isGone(reader, change))) throw new GoneRow();
}

/** If an earlier save stored this row, and the user then typed another uuid, this save would store the row twice. */
async function requireUnstored(
  reader: CollectionReader,
  change: Insert,
  requests: WriteRequest[],
): Promise<void> {
  const earlier = change.key && uuidOf(change.key);
  if (!earlier || earlier === newId(change) || !(await isStoredAs(reader, earlier, requests))) return;
  throw new DriverError({
    code: 'conflict',
    message: `This row is already stored as ${earlier}`,
    hint: 'Discard this row. To store the same values a second time, add a new row.',
  });
}

/** A 404 may come from a proxy. So the error "no longer exists" is used only if the object is certainly gone. */
async function isGone(reader: CollectionReader, change: Change): Promise<boolean> {
  if (change.kind === 'insert') return false;
  try {
    return (await readSurely(reader, uuidOf(change.key))) === null;
  } catch {
    return false;
  }
}

class GoneRow extends DriverError {
  constructor() {
    const message = 'This object no longer exists';
    super({ code: 'not_found', message, hint: 'Read the rows again.' });
  }
}

function rowFailure(answer: { status: number; body: string }, path: string): DriverError {
  const failure = failureOfAnswer(answer, path);
  if (!/already exists/.test(failure.message)) return failure;
  return new DriverError({
    code: 'conflict',
    message: failure.message,
    hint: 'Leave the uuid empty to get a new one, or edit the existing object.',
  });
}
