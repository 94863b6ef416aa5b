import {
  type ChangeOutcome,
  type DriverErrorDetails,
  driverErrorDetails,
  type ImportRequest,
  type SaveReport,
} from '@trestle/driver-kit';
import { noAnswer } from './changes.ts';
import type { CollectionReader } from './collection-reader.ts';
import { existingIds } from './existing-ids.ts';
import { batchesOf, type NewObject } from './import-batches.ts';
import { notSentSince } from './sent-change.ts';
import { allFailed, cancelledBatch, type Stored, storeBatch } from './store-batch.ts';

/**
 * The next batch waits while more than this many batches are being checked or stored. If this many batches in sequence
 * get no answer, the import counts the server as gone and sends no more batches.
 */
const width = 3;

/**
 * Stores new objects with the server's batch request. A batch overwrites an object whose id exists, so the ids are
 * checked before each batch is sent. An object that another program stores between the check and the batch is
 * overwritten.
 */
export async function* importRows(
  reader: CollectionReader,
  { changes, rowTimeoutMs }: ImportRequest,
  size: BatchSize,
): AsyncGenerator<SaveReport> {
  const cancelled = reader.signal;
  const running = new Set<Promise<void>>();
  let outcomes: ChangeOutcome[] = [];
  const ready: NewObject[][] = [];
  let unanswered = 0;
  let gone: DriverErrorDetails | undefined;
  /** The import was cancelled, and some rows were neither sent nor reported. */
  let isCut = false;

  async function check(batch: NewObject[]): Promise<void> {
    const deadline = AbortSignal.timeout(rowTimeoutMs);
    try {
      const looking = reader.within(AbortSignal.any([cancelled, deadline]));
      const existing = await existingIds(
        looking,
        batch.map(({ id }) => id),
      );
      for (const { change, id } of batch) {
        if (existing.has(id)) outcomes.push({ id: change.id, status: 'skipped', existing: true });
      }
      const fresh = existing.size === 0 ? batch : batch.filter(({ id }) => !existing.has(id));
      if (fresh.length > 0) ready.push(fresh);
    } catch (error) {
      if (cancelled.aborted) {
        isCut = true;
        return;
      }
      const cause = deadline.aborted ? noAnswer(rowTimeoutMs) : driverErrorDetails(error);
      const isSilence = deadline.aborted || cause.code === 'connection_failed';
      note({ outcomes: allFailed(batch, cause), answered: !isSilence });
    }
  }

  async function store(batch: NewObject[]): Promise<void> {
    note(await size.timed(batch.length, () => storeBatch(reader, batch, { timeoutMs: rowTimeoutMs })));
  }

  function note(stored: Stored): void {
    for (const outcome of stored.outcomes) outcomes.push(outcome);
    unanswered = stored.answered ? 0 : unanswered + 1;
    const error = stored.cause ?? stored.outcomes[0]?.error;
    const isReadOnly = stored.outcomes.every((one) => one.error?.code === 'disk_full');
    if (unanswered >= width || error?.code === 'authentication_failed' || isReadOnly) gone ??= error;
  }

  function start(work: Promise<void>): void {
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
  }

  const rounds = batchesOf(reader, changes, {
    rows: size.rows,
    onRefused: (outcome) => outcomes.push(outcome),
  });
  for (const round of rounds) {
    const waiting = round.reverse();
    for (;;) {
      while (!gone && !cancelled.aborted && waiting.length > 0 && running.size < width + 1)
        start(check(waiting.pop()!));
      if (gone) {
        for (const batch of [...waiting.splice(0).reverse(), ...ready.splice(0)])
          outcomes.push(...allFailed(batch, notSentSince(gone)));
      }
      const next = cancelled.aborted ? [] : ready.splice(0);
      if (next.length > 0 || outcomes.length > 0) {
        const report = { sent: next.flatMap((batch) => batch.map(({ change }) => change.id)), outcomes };
        outcomes = [];
        yield report;
      }
      for (const batch of next) {
        if (cancelled.aborted) outcomes.push(...allFailed(batch, driverErrorDetails(cancelledBatch())));
        else start(store(batch));
      }
      if (outcomes.length > 0 || (ready.length > 0 && !cancelled.aborted)) continue;
      if (running.size > 0) await Promise.race(running);
      else if (waiting.length === 0 || cancelled.aborted) break;
    }
    isCut ||= waiting.length > 0 || ready.length > 0;
    if (cancelled.aborted) {
      isCut ||= round !== rounds.at(-1);
      break;
    }
  }
  // If no row could be sent, there was no round, and the outcomes of the refused rows are reported here.
  if (outcomes.length > 0) yield { sent: [], outcomes };
  if (isCut || (cancelled.aborted && rounds.length === 0)) throw cancelledBatch();
}

/**
 * How many rows a batch has: about as many as the server stores in one to four seconds, but at least 10 and at most
 * 500. Servers differ widely in speed, for example because a module has to make each vector.
 */
export class BatchSize {
  #rows = 100;

  get rows(): number {
    return this.#rows;
  }

  async timed<T>(sent: number, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      const ms = performance.now() - start;
      if (ms > 4000) this.#rows = Math.max(leastRows, Math.floor(this.#rows / 2));
      else if (ms < 1000 && sent >= this.#rows) this.#rows = Math.min(mostRows, this.#rows * 2);
    }
  }
}

const leastRows = 10;
const mostRows = 500;
