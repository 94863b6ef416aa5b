import { isDeepStrictEqual } from 'node:util';
import {
  type Cell,
  type Change,
  type ChangeOutcome,
  cellAt,
  type RowKey,
  type RowSet,
  type TableDescription,
} from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { isWritable } from '../imports/plan-import.ts';
import { reasonGone } from '../imports/send-rows.ts';
import type { CopyCounts, Data, DataAccess } from '../types.ts';

export interface Place {
  access: DataAccess;
  table: string;
}

/** How many rows are compared at the end. They are spread over the table. */
const sampleRows = 50;

interface Copying {
  source: TableDescription;
  from: Place;
  to: Place;
  partition: string | undefined;
  /** Read a batch, close the read, then write: a serial driver may lock the file while it reads. */
  inTurns: boolean;
  /** Start after this row. The rows up to it are stored. */
  after: RowKey | null;
  /** The copy adds the keys of its rows to these. */
  keys: RowKey[];
  counts: CopyCounts;
  /** Throws if the caller may not write another batch. */
  assertOpen(): void;
  onProblem(problem: string): void;
  onProgress(): void;
  /**
   * Called with the last row up to which every row is stored. After a row that may not be stored, it is not called
   * again, so that the next copy continues from there.
   */
  onWritten(after: RowKey): void;
  signal: AbortSignal;
}

/** Copies the rows. It reads a batch while the previous one is written. */
export async function copyRows(data: Data, copying: Copying): Promise<void> {
  const { source, from, to, partition, keys, counts, signal } = copying;
  const at = partition === undefined ? {} : { partition };
  const request = {
    table: from.table,
    ...at,
    columns: columnsOf(source),
    filters: [],
    match: 'all' as const,
    sort: [],
    ...(copying.after && { after: copying.after }),
  };
  let writing: Promise<void> = Promise.resolve();
  let seen = 0;
  let hasFailed = false;
  try {
    for await (const rows of copying.inTurns ? turns() : data.exportRows(from.access, request)) {
      await writing;
      if (signal.aborted) break;
      copying.assertOpen();
      // Small tables are compared completely, large ones at spread positions.
      for (let row = 0; row < rows.rowCount; row++, seen++) {
        if (keys.length < sampleRows) keys.push(keyAt(rows, row, source.key));
        else if (seen % 37 === 0) keys[Math.floor(Math.random() * sampleRows)] = keyAt(rows, row, source.key);
      }
      writing = write(rows);
      writing.catch(() => {});
    }
  } finally {
    // When the export fails, the batch that is being written still counts.
    await writing.catch(() => {});
  }
  await writing;

  async function* turns(): AsyncGenerator<RowSet> {
    let { after } = copying;
    let before: RowKey | undefined;
    for (;;) {
      let batch: RowSet | undefined;
      for await (const rows of data.exportRows(from.access, { ...request, ...(after && { after }) })) {
        batch = rows;
        break;
      }
      if (!batch || batch.rowCount === 0) return;
      const first = keyAt(batch, 0, source.key);
      if (isDeepStrictEqual(first, before)) {
        const message = `The driver of ${source.name} reads a table only from its beginning`;
        throw new AppError({ code: 'unsupported', message });
      }
      before = first;
      after = keyAt(batch, batch.rowCount - 1, source.key);
      yield batch;
      await writing;
    }
  }

  async function write(rows: RowSet): Promise<void> {
    const changes = Array.from(
      { length: rows.rowCount },
      (_, row): Change => ({ kind: 'insert', id: String(row), values: valuesAt(rows, row) }),
    );
    if (changes.length === 0) return;
    const all: ChangeOutcome[] = [];
    for await (const { outcomes } of data.importRows(to.access, { table: to.table, ...at, changes })) {
      for (const outcome of outcomes) {
        all.push(outcome);
        if (outcome.status === 'applied') counts.copied++;
        else if (outcome.existing) counts.existing++;
        else {
          hasFailed = true;
          counts[outcome.status === 'unknown' ? 'unknown' : 'failed']++;
          copying.onProblem(problemOf(keyAt(rows, Number(outcome.id), source.key), outcome.error));
        }
      }
      copying.onProgress();
    }
    if (all.length < changes.length) hasFailed = true;
    if (!hasFailed) copying.onWritten(keyAt(rows, rows.rowCount - 1, source.key));
    const gone = reasonGone(all);
    // Every further row would fail for the same reason.
    if (gone) throw new AppError(gone);
  }
}

export function columnsOf({ columns, key }: TableDescription): string[] {
  return columns.filter((column) => isWritable(column) || key.includes(column.name)).map(({ name }) => name);
}

function problemOf(key: RowKey, error: { message: string } | undefined): string {
  return `${Object.values(key).join(', ')}: ${error?.message ?? 'not stored'}`;
}

function keyAt(rows: RowSet, row: number, key: string[]): RowKey {
  return Object.fromEntries(
    rows.columns.flatMap(({ name }, index) => (key.includes(name) ? [[name, cellAt(rows, index, row)]] : [])),
  );
}

/** Includes NULL: a column that is left out gets its default. */
function valuesAt(rows: RowSet, row: number): Record<string, Cell> {
  return Object.fromEntries(rows.columns.map(({ name }, index) => [name, cellAt(rows, index, row)]));
}
