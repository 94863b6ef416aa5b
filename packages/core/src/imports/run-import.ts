import type { AppErrorDetails } from '../errors.ts';
import { appErrorDetails, isAppError } from '../errors.ts';
import type { ImportBatch, ImportedRow } from '../types.ts';
import { batchSizer } from './batch-sizer.ts';
import { type FittedRow, fitRow } from './fit-row.ts';
import type { ImportPlan } from './plan-import.ts';
import { readRows } from './read-rows.ts';
import { readText } from './read-text.ts';
import type { SourceRow } from './source-row.ts';
import { type ImportFile, stampOf } from './survey-file.ts';

export interface ImportCounts {
  stored: number;
  replaced: number;
  existing: number;
  failed: number;
  unknown: number;
}

export interface ImportReport extends ImportCounts {
  /** How many rows the file has. Those that are in no count were not sent. */
  rows: number;
  ended: 'complete' | 'cancelled' | 'stopped';
  /** Why it stopped before its end. */
  error?: AppErrorDetails;
}

export interface RowFailure {
  problem: string;
  derivedId?: string | undefined;
}

interface Parts {
  file: ImportFile;
  plan: ImportPlan;
  /** Null: rows are read and checked, and none is sent. */
  send: ((rows: ImportedRow[]) => Promise<ImportBatch>) | null;
  onFailed(row: SourceRow, failure: RowFailure): void | Promise<void>;
  onExisting?(row: SourceRow): void;
  onProgress?(counts: ImportCounts): void;
  /** Aborted: the batch that is under way ends, and none follows. So every row that was sent is counted. */
  signal: AbortSignal;
}

interface Waiting {
  row: SourceRow;
  fitted: FittedRow & { ok: true };
}

/** Reads, checks and sends the rows of a file, in memory for one batch. */
export async function runImport(parts: Parts): Promise<ImportReport> {
  const { file, plan, send, signal } = parts;
  const counts: ImportCounts = { stored: 0, replaced: 0, existing: 0, failed: 0, unknown: 0 };
  const size = batchSizer();
  let waiting: Waiting[] = [];
  let chars = 0;
  const end = (ended: ImportReport['ended'], error?: AppErrorDetails): ImportReport => ({
    rows: file.rows,
    ...counts,
    ended,
    ...(error && { error }),
  });
  const fail = async (row: SourceRow, failure: RowFailure, status: 'failed' | 'unknown' = 'failed') => {
    counts[status]++;
    await parts.onFailed(row, failure);
  };

  async function flush(): Promise<AppErrorDetails | undefined> {
    const batch = waiting;
    waiting = [];
    chars = 0;
    if (batch.length === 0) return undefined;
    // Rows of another file would get ids of this one, and a second import would store them twice.
    if ((await stampOf(file.path)) !== file.stamp) {
      return {
        code: 'invalid_argument',
        message: `${file.path} was changed while it was imported`,
        hint: 'Import it again once nothing writes to it.',
      };
    }
    const { outcomes, stopped } = send
      ? await size.timed(() => sendAll(send, batch))
      : {
          outcomes: batch.map(({ row }) => ({
            id: String(row.ordinal),
            status: 'stored' as const,
            problem: '',
          })),
          stopped: undefined,
        };
    const rows = new Map(batch.map((one) => [String(one.row.ordinal), one]));
    for (const { id, status, problem = '' } of outcomes) {
      const { row, fitted } = rows.get(id)!;
      if (status === 'failed' || status === 'unknown') {
        await fail(row, { problem, derivedId: fitted.derivedId }, status);
        continue;
      }
      counts[status]++;
      if (status === 'existing') parts.onExisting?.(row);
    }
    parts.onProgress?.(counts);
    return stopped;
  }

  const unhurried = new AbortController().signal;
  for await (const rows of readRows(readText(file.path, { signal: unhurried }))) {
    for (const row of rows) {
      if (signal.aborted) return end('cancelled');
      const fitted = fitRow(row, plan, file);
      if (!fitted.ok) {
        await fail(row, fitted);
        continue;
      }
      waiting.push({ row, fitted });
      chars += row.size;
      if (waiting.length < size.rows && chars < mostChars) continue;
      const stopped = await flush();
      if (stopped) return end('stopped', stopped);
    }
  }
  if (signal.aborted) return end('cancelled');
  const stopped = await flush();
  return stopped ? end('stopped', stopped) : end('complete');
}

/** A batch crosses a process: it must stay well below what a message may hold. */
const mostChars = 1024 * 1024;

async function sendAll(send: NonNullable<Parts['send']>, batch: Waiting[]): Promise<ImportBatch> {
  const rows = batch.map(({ row, fitted }) => ({ id: String(row.ordinal), values: fitted.values }));
  try {
    return await send(rows);
  } catch (error) {
    if (!isAppError(error)) throw error;
    // Nobody can say which of them arrived.
    const problem = `Sent, but the answer never came: ${error.message}`;
    return {
      outcomes: rows.map(({ id }) => ({ id, status: 'unknown', problem })),
      stopped: appErrorDetails(error),
    };
  }
}
