import type { ExportRequest, RowSet } from '@trestle/driver-kit';
import type { DatabaseFile } from './database-file.ts';
import { throwIfAborted, translateError } from './errors.ts';
import { selectRows } from './page.ts';
import { iterateRows } from './query.ts';
import { type Stored, toRowSet } from './values.ts';

const batchSize = 1000;

/** One statement from beginning to end on a handle of its own: all batches show the same moment. */
export async function* exportRows(
  file: DatabaseFile,
  request: ExportRequest,
  signal: AbortSignal,
): AsyncGenerator<RowSet> {
  throwIfAborted(signal);
  const handle = file.openReader();
  try {
    const { heads, query } = selectRows(handle, request);
    let batch: Stored[][] = [];
    for (const row of iterateRows(handle, query)) {
      batch.push(row);
      if (batch.length < batchSize) continue;
      yield toRowSet(heads, batch);
      throwIfAborted(signal);
      batch = [];
    }
    yield toRowSet(heads, batch);
  } catch (error) {
    throw translateError(error);
  } finally {
    handle.db.close();
  }
}
