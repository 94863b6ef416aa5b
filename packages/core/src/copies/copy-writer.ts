import {
  type Cell,
  type Change,
  type ChangeOutcome,
  cellAt,
  type RowKey,
  type RowSet,
  type TableDescription,
  weigh,
} from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { reasonGone } from '../imports/send-rows.ts';
import type { CopyCounts, Data, DataAccess } from '../types.ts';

export interface Place {
  access: DataAccess;
  table: string;
}

export interface Writing {
  source: TableDescription;
  to: Place;
  partition: string | undefined;
  counts: CopyCounts;
  /** Rows that the target has already were copied before an interruption. */
  ownRows: boolean;
  /** Throws if the caller may not write another batch. */
  assertOpen(): void;
  onProblem(problem: string): void;
  onProgress(): void;
  /**
   * Called after a batch with the key of its last row, if that row and all earlier rows are stored. After a row was
   * refused or has no answer, `onWritten` is not called again, so that the next copy reads that row again.
   */
  onWritten(after: RowKey): void;
  signal: AbortSignal;
}

interface Row {
  key: RowKey;
  values: Record<string, Cell>;
  /** Why the row was refused the last time. */
  reason?: string;
  /** Known once the row was refused. */
  bytes?: number;
}

/** Refused rows are kept in memory. Rows beyond these limits are not tried again. */
const mostRefused = { rows: 10_000, bytes: 64 * 1024 * 1024 };

/** The most bytes of one retry, unless a single row is larger. One retry is one message to the driver's process. */
const mostSentBytes = 8 * 1024 * 1024;

/**
 * Writes the rows of one partition. A refused row is tried again after the last row: it may refer to a row that came
 * later. Weaviate refuses an object that refers to a missing one.
 */
export class CopyWriter {
  readonly #data: Data;
  readonly #writing: Writing;
  readonly #refused = new Set<Row>();
  #refusedBytes = 0;
  #hasFailed = false;
  /** The reason that ended the copy. The report gives it once. */
  #gone: string | undefined;

  constructor(data: Data, writing: Writing) {
    this.#data = data;
    this.#writing = writing;
  }

  async write(rows: RowSet): Promise<void> {
    if (rows.rowCount === 0) return;
    const { source, onWritten } = this.#writing;
    const all = Array.from(
      { length: rows.rowCount },
      (_, row): Row => ({
        key: keyAt(rows, row, source.key),
        values: valuesAt(rows, row),
      }),
    );
    await this.#send(all);
    if (!this.#hasFailed) onWritten(all.at(-1)!.key);
  }

  /** Sends the refused rows until no further row is stored: a row may refer to a row that was itself refused. */
  async writeRefused(): Promise<void> {
    const { signal, assertOpen } = this.#writing;
    for (let before = Number.POSITIVE_INFINITY; this.#refused.size < before && !signal.aborted; ) {
      before = this.#refused.size;
      if (before === 0) return;
      for (const rows of inPieces([...this.#refused])) {
        if (signal.aborted) return;
        assertOpen();
        await this.#send(rows);
      }
    }
  }

  /** Counts the rows that stay refused. */
  end(): void {
    for (const row of this.#refused) this.#fail(row, 'failed');
    this.#refused.clear();
  }

  async #send(rows: Row[]): Promise<void> {
    const { to, partition, counts, ownRows, onProgress } = this.#writing;
    const changes = rows.map(({ values }, index): Change => ({ kind: 'insert', id: String(index), values }));
    const request = { table: to.table, ...(partition !== undefined && { partition }), changes, exact: true };
    const all: ChangeOutcome[] = [];
    for await (const { outcomes } of this.#data.importRows(to.access, request)) {
      for (const outcome of outcomes) {
        all.push(outcome);
        const row = rows[Number(outcome.id)]!;
        this.#release(row);
        if (outcome.status === 'applied') {
          counts.copied++;
          if (outcome.warning) this.#tell(row, outcome.warning);
        } else if (outcome.existing) counts[ownRows ? 'copied' : 'existing']++;
        else this.#refuse(row, outcome);
      }
      onProgress();
    }
    // A copy that was cancelled may leave rows unsent.
    if (all.length < rows.length) this.#hasFailed = true;
    const gone = reasonGone(all);
    // Every further row would fail for the same reason.
    if (gone) {
      this.#gone = gone.message;
      throw new AppError(gone);
    }
  }

  #refuse(row: Row, { status, error }: ChangeOutcome): void {
    this.#hasFailed = true;
    row.reason = error?.message ?? 'not stored';
    if (status === 'unknown') this.#fail(row, 'unknown');
    else if (!this.#keep(row)) this.#fail(row, 'failed');
  }

  /** Keeps a refused row for a retry. False if there is no room for the row. */
  #keep(row: Row): boolean {
    row.bytes ??= weigh(row.values);
    const isFull =
      this.#refused.size >= mostRefused.rows || this.#refusedBytes + row.bytes > mostRefused.bytes;
    if (isFull) return false;
    this.#refused.add(row);
    this.#refusedBytes += row.bytes;
    return true;
  }

  #release(row: Row): void {
    if (this.#refused.delete(row)) this.#refusedBytes -= row.bytes ?? 0;
  }

  #fail(row: Row, as: 'failed' | 'unknown'): void {
    this.#writing.counts[as]++;
    const reason = row.reason ?? 'not stored';
    if (reason !== this.#gone) this.#tell(row, reason);
  }

  #tell({ key }: Row, problem: string): void {
    this.#writing.onProblem(`${Object.values(key).join(', ')}: ${problem}`);
  }
}

function inPieces(rows: Row[]): Row[][] {
  const pieces: Row[][] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += row.bytes ?? 0;
    const last = pieces.at(-1);
    if (last && bytes <= mostSentBytes) last.push(row);
    else {
      pieces.push([row]);
      bytes = row.bytes ?? 0;
    }
  }
  return pieces;
}

export function keyAt(rows: RowSet, row: number, key: string[]): RowKey {
  return Object.fromEntries(
    rows.columns.flatMap(({ name }, index) => (key.includes(name) ? [[name, cellAt(rows, index, row)]] : [])),
  );
}

/** Includes NULL: a column that is left out gets its default. */
function valuesAt(rows: RowSet, row: number): Record<string, Cell> {
  return Object.fromEntries(rows.columns.map(({ name }, index) => [name, cellAt(rows, index, row)]));
}
