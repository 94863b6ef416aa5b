import { setImmediate as breathe } from 'node:timers/promises';
import { type AppErrorDetails, appErrorDetails, type ExportWriter, isAppError } from '@trestle/core';
import type { RowSet } from '@trestle/driver-kit';

/** How many values are converted before other work may run. Converting them takes about 10 ms. */
const cellsAtOnce = 10_000;

export interface ExportProgress {
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  rows: number;
  error?: AppErrorDetails;
}

type Piece = Awaited<ReturnType<ExportWriter['rows']>>;

/** One export. Reads rows only as fast as the browser takes the file, and stops on a cancel. */
export class ExportJob {
  readonly #source: AsyncIterator<RowSet>;
  readonly #writer: ExportWriter;
  readonly #abort: AbortController;
  readonly #report: (error: unknown) => void;
  #first: IteratorResult<RowSet> | null = null;
  #progress: ExportProgress = { state: 'waiting', rows: 0 };

  /** `report` logs an unexpected error. The user sees only a general message. */
  constructor(parts: {
    source: AsyncIterable<RowSet>;
    writer: ExportWriter;
    abort: AbortController;
    report(error: unknown): void;
  }) {
    this.#source = parts.source[Symbol.asyncIterator]();
    this.#writer = parts.writer;
    this.#abort = parts.abort;
    this.#report = parts.report;
  }

  get progress(): ExportProgress {
    return this.#progress;
  }

  /** Reads the first rows, so an export that cannot run fails before its file begins. */
  async begin(): Promise<void> {
    this.#first = await this.#source.next();
  }

  cancel(): void {
    if (!this.#isOver) this.#progress = { ...this.#progress, state: 'cancelled' };
    this.#stop();
  }

  /** The file's bytes. Undefined if they were taken already, or if the export was cancelled. */
  stream(): ReadableStream<Uint8Array> | undefined {
    if (this.#progress.state !== 'waiting') return undefined;
    this.#progress = { state: 'running', rows: 0 };
    const pieces = this.#pieces();
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const { value, done } = await pieces.next();
            if (value !== undefined) controller.enqueue(bytesOf(value));
            if (done) controller.close();
          } catch (error) {
            this.#fail(error);
            controller.error(error);
          }
        },
        cancel: () => this.cancel(),
      },
      { highWaterMark: 1 },
    );
  }

  async *#pieces(): AsyncGenerator<Piece, Piece | undefined> {
    for (let next = this.#first; next && !next.done; next = await this.#source.next()) {
      const rows = next.value;
      this.#first = null;
      const step = rowsAtOnce(rows);
      for (let from = 0; from < rows.rowCount; from += step) {
        this.#checkWanted();
        const to = Math.min(rows.rowCount, from + step);
        const piece = await this.#writer.rows(rows, from, to);
        if (piece.length > 0) yield piece;
        this.#progress = { ...this.#progress, rows: this.#progress.rows + to - from };
        await breathe();
      }
    }
    this.#checkWanted();
    const end = await this.#writer.end();
    this.#progress = { ...this.#progress, state: 'done' };
    return end.length > 0 ? end : undefined;
  }

  /** A cancelled source may end like a complete source. Without this check, the file would look complete. */
  #checkWanted(): void {
    if (this.#abort.signal.aborted) throw new Error('The export was cancelled');
  }

  get #isOver(): boolean {
    return ['done', 'failed', 'cancelled'].includes(this.#progress.state);
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    if (!isAppError(error)) this.#report(error);
    const details: AppErrorDetails = isAppError(error)
      ? appErrorDetails(error)
      : { code: 'internal', message: 'Trestle could not write the export; see its log' };
    this.#progress = { ...this.#progress, state: 'failed', error: details };
    this.#stop();
  }

  /** Aborts the export and ends the source. A source that waits between two batches would not notice the abort. */
  #stop(): void {
    this.#abort.abort();
    this.#writer.close?.();
    this.#source.return?.().catch(() => {});
  }
}

const encoder = new TextEncoder();

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === 'string' ? encoder.encode(piece) : piece;
}

function rowsAtOnce({ values }: RowSet): number {
  const cells = values.reduce((sum, column) => sum + (column.kind === 'vectors' ? column.dimensions : 1), 0);
  return Math.max(1, Math.floor(cellsAtOnce / Math.max(1, cells)));
}
