import { type ExportRequest, type RowSet, weigh } from '@trestle/driver-kit';
import type { DatabaseFile } from './database-file.ts';
import { throwIfAborted, translateError } from './errors.ts';
import { selectRows } from './page.ts';
import { iterateRows } from './query.ts';
import { type Stored, toRowSet } from './values.ts';
import { VectorReader } from './vectors.ts';

const batchSize = 1000;
const maxBatchBytes = 16 * 1024 * 1024;

/** Yields the rows in batches. One statement on a separate handle reads them all, so they come from one snapshot. */
export async function* exportRows(
  file: DatabaseFile,
  request: ExportRequest,
  signal: AbortSignal,
  sample?: { rows: number },
): AsyncGenerator<RowSet> {
  throwIfAborted(signal);
  const handle = file.openReader();
  try {
    // Its order was checked for this schema. Otherwise another program could add statistics before the query runs.
    if (request.guarded) handle.db.exec('BEGIN');
    const { heads, query } = selectRows(handle, request, sample && { sample: sample.rows });
    const vectors = new VectorReader(request.vectors);
    let batch: Stored[][] = [];
    let weight = 0;
    for (const row of iterateRows(handle, query)) {
      batch.push(row);
      weight += weigh(row);
      if (batch.length < batchSize && weight < maxBatchBytes) continue;
      yield vectors.read(toRowSet(heads, batch));
      throwIfAborted(signal);
      batch = [];
      weight = 0;
    }
    yield vectors.read(toRowSet(heads, batch));
  } catch (error) {
    throw translateError(error);
  } finally {
    handle.db.close();
  }
}
