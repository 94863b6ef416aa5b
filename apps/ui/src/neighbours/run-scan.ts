import type { CountRequest } from '@trestle/driver-kit';
import { data, streamRows } from '../shared/api.ts';
import { compareExactly } from './exact-scan.ts';
import { nearestRows, takeBatch, VectorPack } from './read-rows.ts';
import { compareRows, keptNeighbours, newScan, type Scan } from './scan.ts';
import type { VectorChoice } from './vector-choice.ts';

export interface ScanQuestion {
  connectionId: string;
  /** Table, tenant and filters. */
  request: CountRequest;
  vector: VectorChoice;
  key: string[];
  title: string | undefined;
  /** At most so many rows are read and compared. */
  limit: number;
  /** The database finds the rows near a row. */
  byIndex: boolean;
}

export interface ScanProgress {
  stage: 'reading' | 'comparing' | 'done';
  scan: Scan;
  /** Rows that were compared so far. */
  compared: number;
  /** There are rows beyond the limit. */
  more: boolean;
}

/** More at once would leave no connection of the browser for the rest of the window. */
const atOnce = 3;
/** The picture is drawn anew so often, however quick the answers come. */
const tellEveryMs = 250;

/** Reads the rows, then finds the nearest rows of each. */
export async function runScan(
  question: ScanQuestion,
  signal: AbortSignal,
  tell: (progress: ScanProgress) => void,
): Promise<void> {
  const scan = newScan();
  const columns = { key: question.key, title: question.title, vector: question.vector.column };
  const pack = question.byIndex ? undefined : new VectorPack();
  let more = false;
  let told = 0;
  const report = (stage: ScanProgress['stage'], compared: number, isSure = false) => {
    const now = performance.now();
    if (!isSure && now - told < tellEveryMs) return;
    told = now;
    tell({ stage, scan, compared, more });
  };
  const named = columns.title === undefined ? [] : [columns.title];
  const asked = {
    ...question.request,
    columns: [...new Set([...columns.key, ...named, columns.vector])],
    vectors: [columns.vector],
  };
  const batches = streamRows(question.connectionId, { ...asked, limit: question.limit }, signal);
  for (let next = await batches.next(); ; next = await batches.next()) {
    if (next.done) {
      more = next.value;
      break;
    }
    takeBatch(scan, next.value, columns, pack);
    report('reading', 0);
  }
  report('comparing', 0, true);
  const onProgress = (compared: number) => report('comparing', compared);
  if (pack) {
    await compareExactly(scan, { vectors: pack.whole(), dimensions: pack.dimensions, signal, onProgress });
  } else {
    await compareRows(scan, {
      nearest: async (row, until) => nearestRows(await searchNear(question, row.id, until), columns),
      atOnce,
      signal,
      onProgress,
    });
  }
  report('done', scan.compared.length, true);
}

async function searchNear(question: ScanQuestion, objectId: string, signal: AbortSignal) {
  const { request, vector, key, title } = question;
  const page = await data(
    'search',
    question.connectionId,
    {
      ...request,
      mode: 'near_object',
      objectId,
      ...(vector.target !== undefined && { targetVector: vector.target }),
      columns: [...key, ...(title === undefined ? [] : [title])],
      // The row itself is among them.
      limit: keptNeighbours + 1,
    },
    signal,
  );
  return page.rows;
}
