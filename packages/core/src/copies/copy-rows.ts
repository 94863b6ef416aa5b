import { isDeepStrictEqual } from 'node:util';
import type { RowKey, RowSet, TableDescription } from '@trestle/driver-kit';
import { AppError } from '../errors.ts';
import { isWritable } from '../imports/plan-import.ts';
import type { Data } from '../types.ts';
import { CopyWriter, keyAt, type Place, type Writing } from './copy-writer.ts';

/** At most this many rows of each partition are compared after it was copied. They are spread over the partition. */
const sampleRows = 50;

interface Copying extends Writing {
  from: Place;
  /** Read a batch, close the read, then write: a serial driver may lock the file while it reads. */
  inTurns: boolean;
  /** Start after this row. The rows up to it are stored. */
  after: RowKey | null;
  /** The number of rows up to `after`. */
  stored: number;
  /** Keys of some rows, to compare after the copy. `copyRows` adds to them. */
  keys: RowKey[];
}

/** Copies the rows of one partition. Unless `inTurns` is set, a batch is read while the previous one is written. */
export async function copyRows(data: Data, copying: Copying): Promise<void> {
  const { source, from, partition, keys, signal } = copying;
  const at = partition === undefined ? {} : { partition };
  const request = {
    table: from.table,
    ...at,
    columns: columnsOf(source),
    filters: [],
    match: 'all' as const,
    sort: [],
    exact: true,
    ...(copying.after && { after: copying.after }),
  };
  const writer = new CopyWriter(data, copying);
  let writing: Promise<void> = Promise.resolve();
  let { stored: seen } = copying;
  try {
    for await (const rows of copying.inTurns ? turns() : data.exportRows(from.access, request)) {
      await writing;
      if (signal.aborted) break;
      copying.assertOpen();
      // Reservoir sampling: each row of the partition has the same chance to be compared.
      for (let row = 0; row < rows.rowCount; row++) {
        seen++;
        const slot = keys.length < sampleRows ? keys.length : Math.floor(Math.random() * seen);
        if (slot < sampleRows) keys[slot] = keyAt(rows, row, source.key);
      }
      writing = writer.write(rows);
      writing.catch(() => {});
    }
    await writing;
    await writer.writeRefused();
  } finally {
    // When the export fails, the batch that is being written still counts.
    await writing.catch(() => {});
    writer.end();
  }

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
}

export function columnsOf({ columns, key }: TableDescription): string[] {
  return columns.filter((column) => isWritable(column) || key.includes(column.name)).map(({ name }) => name);
}
