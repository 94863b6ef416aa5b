import { setImmediate as breathe } from 'node:timers/promises';
import { appErrorDetails, type ExportWriter, isAppError, type JobOutcome } from '@trestle/core';
import type { RowSet } from '@trestle/driver-kit';

/** How many values are converted before other work may run. Converting them takes about 10 ms. */
const cellsAtOnce = 10_000;

type Piece = Awaited<ReturnType<ExportWriter['rows']>>;

/** The file of an export. Reads rows only as fast as the browser takes the file, and stops on a cancel. */
export class ExportStream {
  readonly #source: AsyncIterator<RowSet>;
  readonly #writer: ExportWriter;
  readonly #abort: AbortController;
  readonly #onRows: (rows: number) => void;
  readonly #end = Promise.withResolvers<JobOutcome>();
  #first: IteratorResult<RowSet> | null = null;
  #state: 'waiting' | 'running' | 'over' = 'waiting';
  #rows = 0;

  constructor(parts: {
    source: AsyncIterable<RowSet>;
    writer: ExportWriter;
    abort: AbortController;
    /** Called with the number of written rows. */
    onRows(rows: number): void;
  }) {
    this.#source = parts.source[Symbol.asyncIterator]();
    this.#writer = parts.writer;
    this.#abort = parts.abort;
    this.#onRows = parts.onRows;
  }

  /** Rejects with the error that ended the export. */
  get over(): Promise<JobOutcome> {
    return this.#end.promise;
  }

  get isWaiting(): boolean {
    return this.#state === 'waiting';
  }

  /** Reads the first rows, so an export that cannot run fails before its file begins. */
  async begin(): Promise<void> {
    this.#first = await this.#source.next();
  }

  cancel(): void {
    const so = `after ${amountWords(this.#rows)}; the file is not complete`;
    // Without a row there may be no file.
    this.#finish({
      how: 'cancelled',
      words: this.#rows === 0 ? 'Export cancelled' : `Export cancelled ${so}`,
    });
    this.#stop();
  }

  /** The file's bytes. Undefined if they were taken already, or if the export was cancelled. */
  stream(): ReadableStream<Uint8Array> | undefined {
    if (this.#state !== 'waiting') return undefined;
    this.#state = 'running';
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
        this.#rows += to - from;
        this.#onRows(this.#rows);
        await breathe();
      }
    }
    this.#checkWanted();
    const end = await this.#writer.end();
    const words = `Exported ${amountWords(this.#rows)} to the browser’s downloads`;
    this.#finish({ how: 'complete', words });
    return end.length > 0 ? end : undefined;
  }

  /** A cancelled source may end like a complete source. Without this check, the file would look complete. */
  #checkWanted(): void {
    if (this.#abort.signal.aborted) throw new Error('The export was cancelled');
  }

  #finish(outcome: JobOutcome): void {
    this.#state = 'over';
    this.#end.resolve(outcome);
  }

  #fail(error: unknown): void {
    this.#state = 'over';
    const words =
      this.#rows === 0
        ? 'The export failed'
        : `The export failed after ${amountWords(this.#rows)}; the file is not complete`;
    if (isAppError(error)) this.#end.resolve({ how: 'failed', words, error: appErrorDetails(error) });
    else this.#end.reject(error);
    this.#stop();
  }

  /** Aborts the export and ends the source. A source that waits between two batches would not notice the abort. */
  #stop(): void {
    this.#abort.abort();
    this.#writer.close?.();
    this.#source.return?.().catch(() => {});
  }
}

export function amountWords(rows: number): string {
  return `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
}

const encoder = new TextEncoder();

function bytesOf(piece: Piece): Uint8Array {
  return typeof piece === 'string' ? encoder.encode(piece) : piece;
}

function rowsAtOnce({ values }: RowSet): number {
  const cells = values.reduce((sum, column) => sum + (column.kind === 'vectors' ? column.dimensions : 1), 0);
  return Math.max(1, Math.floor(cellsAtOnce / Math.max(1, cells)));
}
