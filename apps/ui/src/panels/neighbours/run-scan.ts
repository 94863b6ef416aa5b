import type { CountRequest } from '@trestle/driver-kit';
import { data, streamRows } from '../../data/api/api.ts';
import { compareExactly } from './exact-scan.ts';
import { nearestRows, takeBatch, VectorPack } from './read-rows.ts';
import { compareRows, keptNeighbours, type NearestRow, newScan, type Scan, type ScannedRow } from './scan.ts';
import { spacedReports } from './spaced-reports.ts';
import type { VectorChoice } from './vector-choice.ts';

export interface ScanQuestion {
  connectionId: string;
  /** Table, partition and filters. */
  request: CountRequest;
  vector: VectorChoice;
  key: string[];
  title: string | undefined;
  /** Reading ends with the batch that reaches this many rows. */
  limit: number;
  /** Whether the database itself finds the rows near a row. */
  byIndex: boolean;
}

export interface ScanProgress {
  stage: 'reading' | 'comparing' | 'done';
  scan: Scan;
  /** Rows compared so far, including those whose comparison failed. */
  compared: number;
  /** Whether there are more rows than were read. False while rows are read. */
  more: boolean;
}

/** More searches at once would use up the browser's connections, and the rest of the window would wait. */
const atOnce = 3;
/** Progress redraws the view at most once per interval, except at the start and the end of the comparison. */
const tellEveryMs = 250;

/** Reads the rows, then finds the nearest rows of each row that can be compared. */
export async function runScan(
  question: ScanQuestion,
  signal: AbortSignal,
  tell: (progress: ScanProgress) => void,
): Promise<void> {
  const reports = spacedReports(tellEveryMs, tell);
  const scan = newScan();
  const pack = question.byIndex ? undefined : new VectorPack();
  try {
    const more = await readRows(question, scan, pack, signal, () =>
      reports.add({ stage: 'reading', scan, compared: 0, more: false }),
    );
    const onProgress = (compared: number) => reports.add({ stage: 'comparing', scan, compared, more });
    onProgress(0);
    reports.flush();
    if (pack) {
      const { distance } = question.vector;
      const packed = { vectors: pack.whole(), dimensions: pack.dimensions, distance };
      await compareExactly(scan, { ...packed, signal, onProgress });
    } else {
      const nearest = (row: ScannedRow, until: AbortSignal) => searchNear(question, row.id, until);
      await compareRows(scan, { nearest, atOnce, signal, onProgress });
    }
    reports.add({ stage: 'done', scan, compared: scan.compared.length, more });
    reports.flush();
  } finally {
    // A report after the error would hide the error.
    reports.stop();
  }
}

/** Returns whether there are more rows than were read. */
async function readRows(
  question: ScanQuestion,
  scan: Scan,
  pack: VectorPack | undefined,
  signal: AbortSignal,
  onBatch: () => void,
): Promise<boolean> {
  const { key, title, limit } = question;
  const vector = question.vector.column;
  const columns = [...new Set([...key, ...(title === undefined ? [] : [title]), vector])];
  const asked = {
    ...question.request,
    columns,
    vectors: [vector],
    limit,
    // Without `pack` the database compares the vectors. The window only needs to know whether a row has
    // a vector, so the first number of the vector is enough.
    ...(pack === undefined && { shortVectors: { dimensions: 1, unit: false } }),
  };
  const batches = streamRows(question.connectionId, asked, signal);
  for (let next = await batches.next(); ; next = await batches.next()) {
    if (next.done) return next.value;
    takeBatch(scan, next.value, { key, title, vector }, pack);
    onBatch();
  }
}

async function searchNear(
  question: ScanQuestion,
  objectId: string,
  signal: AbortSignal,
): Promise<NearestRow[]> {
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
      // The result usually includes the row itself.
      limit: keptNeighbours + 1,
    },
    signal,
  );
  return nearestRows(page.rows, { key, title });
}
