import { randomUUID } from 'node:crypto';
import {
  type Change,
  type ChangeOutcome,
  type DriverErrorDetails,
  type DriverLogEntry,
  driverErrorDetails,
  type Insert,
  type RowKey,
  type SaveReport,
  type SaveRequest,
} from '@trestle/driver-kit';
import { noAnswer, notSent, sendChange } from './changes.ts';
import type { CollectionReader } from './collection-reader.ts';
import { ExpectedRows, rowsPerLook } from './expected-rows.ts';
import { lanesOf } from './lanes.ts';
import type { SecretCells } from './secret-cells.ts';
import { notSentSince } from './sent-change.ts';
import { lacksUuid, newId, requestsOf, type WriteRequest } from './write-request.ts';

/** How many changes are sent at a time. If this many in sequence get no answer, the rest is not sent. */
const width = 8;

/** Sends the changes, a few at a time, and reports each change when its outcome is known. */
export async function* saveChanges(
  reader: CollectionReader,
  { changes, rowTimeoutMs }: SaveRequest,
  { secret, log }: { secret: SecretCells; log: (entry: DriverLogEntry) => void },
): AsyncGenerator<SaveReport> {
  const cancelled = reader.signal;
  const lanes = lanesOf(changes);
  const running = new Set<Promise<void>>();
  let outcomes: ChangeOutcome[] = [];
  let unanswered = 0;
  let gone: DriverErrorDetails | undefined;
  const expected = new ExpectedRows(secret);

  const isDue = (change: Change) => expected.needsLook(change);

  /** Reads the rows of the next changes that expect something. */
  async function lookAhead(): Promise<void> {
    if (gone || cancelled.aborted || !lanes.heads(width - running.size).some(isDue)) return;
    const heads = lanes.heads(rowsPerLook).filter(isDue);
    const deadline = AbortSignal.timeout(rowTimeoutMs);
    try {
      await expected.look(reader.within(AbortSignal.any([cancelled, deadline])), heads);
      unanswered = 0;
    } catch (error) {
      if (cancelled.aborted) return;
      const cause = deadline.aborted ? noAnswer(rowTimeoutMs) : driverErrorDetails(error);
      expected.fail(heads, cause);
      const isSilence = deadline.aborted || cause.code === 'connection_failed';
      unanswered = isSilence ? unanswered + heads.length : 0;
      if (unanswered >= width || cause.code === 'authentication_failed') gone ??= cause;
    }
  }

  function prepare(given: Change): Omit<Ready, 'lane'> | null {
    const { change, isOwnId } = withId(given);
    if (lacksUuid(change)) {
      log({
        level: 'warn',
        message: `Skipped ${change.kind} of a row without uuid in ${reader.collection.name}`,
      });
      outcomes.push({ id: change.id, status: 'skipped' });
      return null;
    }
    try {
      const requests = requestsOf(reader, change);
      const unsent = expected.take(change);
      if (!unsent) return { change, isOwnId, requests };
      outcomes.push(unsent);
      return null;
    } catch (error) {
      outcomes.push({ id: change.id, status: 'failed', error: driverErrorDetails(error) });
      return null;
    }
  }

  function takeNext(): Ready[] {
    const ready: Ready[] = [];
    while (!gone && !cancelled.aborted && running.size + ready.length < width) {
      if (lanes.heads(1).some(isDue)) break;
      const lane = lanes.next();
      if (!lane) break;
      const prepared = prepare(lane.shift()!);
      if (prepared) ready.push({ ...prepared, lane });
      else lanes.goOn(lane);
    }
    return ready;
  }

  async function run({ lane, ...prepared }: Ready): Promise<void> {
    const { outcome, answered, cause } = await sendChange(reader, {
      ...prepared,
      secret,
      rowTimeoutMs,
      cancelled,
    });
    outcomes.push(outcome);
    unanswered = answered ? 0 : unanswered + 1;
    if (unanswered >= width || outcome.error?.code === 'authentication_failed')
      gone ??= cause ?? outcome.error;
    lanes.goOn(lane);
  }

  for (;;) {
    await lookAhead();
    const ready = takeNext();
    if (gone) outcomes.push(...lanes.rest().map((change) => givenUp(change, gone!)));
    if (ready.length > 0 || outcomes.length > 0) {
      const report = { sent: ready.map(({ change }) => change.id), ...chosenKeys(ready), outcomes };
      outcomes = [];
      yield report;
    }
    for (const one of ready) {
      if (cancelled.aborted) {
        outcomes.push({ id: one.change.id, status: 'failed', error: driverErrorDetails(notSent()) });
        // Puts back the later changes of the object. If they were lost, the save could end without an error.
        lanes.goOn(one.lane);
        continue;
      }
      const work = run(one).finally(() => running.delete(work));
      running.add(work);
    }
    // Outcomes that arrived while the caller handled the report are reported now, not with the next outcome.
    if (outcomes.length > 0) continue;
    if (!gone && !cancelled.aborted && running.size < width && lanes.heads(1).some(isDue)) continue;
    if (running.size > 0) await Promise.race(running);
    else if (lanes.isEmpty || cancelled.aborted) break;
  }
  if (!lanes.isEmpty) throw notSent();
}

interface Ready {
  change: Change;
  requests: WriteRequest[];
  /** Whether the driver has just chosen the id of this new row. */
  isOwnId: boolean;
  lane: Change[];
}

/** A new row without an id gets one here, not from the server, so that it can be found again if the answer is lost. */
function withId(change: Change): { change: Change; isOwnId: boolean } {
  const isOwnId = change.kind === 'insert' && lacksId(change);
  return { change: isOwnId ? { ...change, key: { uuid: randomUUID() } } : change, isOwnId };
}

function lacksId(change: Insert): boolean {
  try {
    return newId(change) === null;
  } catch {
    // The id is invalid. The row is refused later, with the reason.
    return false;
  }
}

function chosenKeys(ready: Ready[]): { keys?: Record<string, RowKey> } {
  const chosen = ready.flatMap(({ change, isOwnId }): [string, RowKey][] =>
    isOwnId && change.key ? [[change.id, change.key]] : [],
  );
  return chosen.length > 0 ? { keys: Object.fromEntries(chosen) } : {};
}

function givenUp(change: Change, reason: DriverErrorDetails): ChangeOutcome {
  return { id: change.id, status: 'failed', error: notSentSince(reason) };
}
