import type { AppErrorDetails } from '../errors.ts';
import { appErrorDetails, isAppError } from '../errors.ts';
import type { ImportBatch, ImportCounts, ImportedRow, ImportReport } from '../types.ts';
import { batchSizer } from './batch-sizer.ts';
import type { FailedFile } from './failed-file.ts';
import type { RowFailure } from './failed-rows.ts';
import { type FittedRow, fitRow } from './fit-row.ts';
import { IdsInFile } from './ids-in-file.ts';
import type { ImportPlan } from './plan-import.ts';
import { readRows } from './read-rows.ts';
import { readText } from './read-text.ts';
import { nameOf } from './send-rows.ts';
import type { SourceRow } from './source-row.ts';
import { type ImportFile, stampOf } from './survey-file.ts';

interface Parts {
  file: ImportFile;
  plan: ImportPlan;
  /** Null: read and check the rows, but send none. */
  send: ((rows: ImportedRow[]) => Promise<ImportBatch>) | null;
  /** Not called for rows that failed for the reason that ended the import: the report gives it once. */
  onFailed(row: SourceRow, failure: RowFailure): void;
  /** If this file cannot be written, the import stops: the user would not learn which of the next rows failed. */
  failedFile?: Pick<FailedFile, 'write' | 'close'> | undefined;
  onExisting?(row: SourceRow): void;
  onProgress?(counts: ImportCounts): void;
  /** Stop at the first row whose id exists. Other rows of its batch and of the next one may be stored by then. */
  stopAtExisting?: boolean;
  /** On abort, no further rows are read, and running batches finish. So every row that was sent is counted. */
  signal: AbortSignal;
}

interface Waiting {
  row: SourceRow;
  /** The line of an earlier row of the file that has the same id and other values. */
  otherLine?: number | undefined;
  fitted: FittedRow & { ok: true };
}

/** Reads, checks and sends the rows of a file. Holds a few batches in memory. */
export async function runImport(parts: Parts): Promise<ImportReport> {
  const { file, plan, send, signal } = parts;
  const counts: ImportCounts = { stored: 0, replaced: 0, existing: 0, failed: 0, unknown: 0 };
  const size = batchSizer();
  const ids = new IdsInFile(file.rows);
  let waiting: Waiting[] = [];
  let chars = 0;
  const underWay: { batch: Waiting[]; names: Set<string>; answer: Promise<ImportBatch> }[] = [];
  let warnings: ImportReport['warnings'];
  let unwritten: AppErrorDetails | undefined;
  const end = (ended: ImportReport['ended'], error?: AppErrorDetails): ImportReport => ({
    rows: file.rows,
    ...counts,
    ended,
    ...(error && { error }),
    ...(warnings && { warnings }),
  });
  const warn = ({ line }: SourceRow, problem: string) => {
    warnings ??= { rows: 0, first: { line, problem } };
    warnings.rows++;
  };
  const noteUnwritten = (error: Error) => {
    unwritten ??= {
      code: 'storage_failed',
      message: `The failed rows could not be written: ${error.message}`,
    };
  };
  const fail = async (
    row: SourceRow,
    failure: RowFailure,
    { status = 'failed', isTold = true }: { status?: 'failed' | 'unknown'; isTold?: boolean } = {},
  ) => {
    counts[status]++;
    if (isTold) parts.onFailed(row, failure);
    if (!unwritten) await parts.failedFile?.write(row, failure, plan.report).catch(noteUnwritten);
  };

  /** Undefined if the database numbers the row. */
  function idOf(values: Waiting['fitted']['values']): string | undefined {
    const { key } = plan.table;
    return key.length > 0 && key.every((column) => values[column] != null) ? nameOf(values, key) : undefined;
  }

  /**
   * Sends the waiting rows. The previous batch may still be running, so the server is busy while rows are read. Returns
   * the reason if the import must stop.
   */
  async function flush(): Promise<AppErrorDetails | undefined> {
    const batch = waiting;
    waiting = [];
    chars = 0;
    // Rows without an id get one that is derived from the file's content. If the file changed, a second import would
    // derive other ids and store the rows again.
    if ((await stampOf(file.path)) !== file.stamp) {
      return wasChanged(file.path);
    }
    if (batch.length === 0) return undefined;
    const names = new Set(batch.map(({ fitted }) => nameOf(fitted.values, plan.table.key)));
    // Rows with the same id must arrive in the order of the file. So a batch waits for a running one that shares an id.
    const meets = underWay.some((other) => !names.isDisjointFrom(other.names));
    const stopped = await settle(meets ? 0 : mostUnderWay - 1);
    if (stopped) return stopped;
    const answer = send ? size.timed(() => sendAll(send, batch)) : Promise.resolve(checkedOnly(batch));
    // `settle` throws the failure later. Until then, Node must not count the rejection as unhandled.
    answer.catch(() => {});
    underWay.push({ batch, names, answer });
    return undefined;
  }

  /**
   * Waits for the oldest batches until at most `most` are running. If one gives a reason to stop, waits for all and
   * returns the first reason.
   */
  async function settle(most: number): Promise<AppErrorDetails | undefined> {
    let reason: AppErrorDetails | undefined;
    while (underWay.length > most || (reason && underWay.length > 0)) {
      const { batch, answer } = underWay.shift()!;
      const { outcomes, stopped } = await answer;
      const rows = new Map(batch.map((one) => [String(one.row.ordinal), one]));
      for (const { id, status, problem = '' } of outcomes) {
        const { row, fitted, otherLine } = rows.get(id)!;
        if (otherLine !== undefined && (status === 'existing' || !send)) {
          await fail(row, { problem: sameIdAs(otherLine) });
          continue;
        }
        if (otherLine !== undefined && status === 'replaced')
          warn(row, `This row replaced the row at line ${otherLine}`);
        if (status === 'failed' || status === 'unknown') {
          const isTold = problem !== stopped?.message;
          await fail(row, { problem, derivedId: fitted.derivedId }, { status, isTold });
          continue;
        }
        counts[status]++;
        if (problem) warn(row, problem);
        if (status !== 'existing') continue;
        parts.onExisting?.(row);
        if (parts.stopAtExisting) reason ??= existsAlready(row);
      }
      parts.onProgress?.(counts);
      reason ??= stopped ?? unwritten;
    }
    return reason;
  }

  /** Reads the file and sends its rows. Returns the reason if the import must stop, or `cancelled`. */
  async function sendFile(): Promise<AppErrorDetails | 'cancelled' | undefined> {
    const unhurried = new AbortController().signal;
    for await (const rows of readRows(readText(file.path, { signal: unhurried }))) {
      for (const row of rows) {
        if (signal.aborted) return 'cancelled';
        if (unwritten) return unwritten;
        const fitted = fitRow(row, plan, file);
        if (!fitted.ok) {
          await fail(row, fitted);
          continue;
        }
        const name = fitted.derivedId === undefined ? idOf(fitted.values) : undefined;
        const otherLine = name === undefined ? undefined : ids.otherLine(name, fitted.values, row.line);
        waiting.push({ row, fitted, otherLine });
        chars += row.size;
        if (waiting.length < size.rows && chars < mostChars) continue;
        const stopped = await flush();
        if (stopped) return stopped;
      }
    }
    return signal.aborted ? 'cancelled' : (unwritten ?? flush());
  }

  async function sendAndSettle(): Promise<AppErrorDetails | 'cancelled' | undefined> {
    const sent = await sendFile().catch((error: unknown) => unreadableNow(file, error));
    // Every row that was sent is counted, also if the file can no longer be read.
    const stopped = await settle(0);
    return sent === 'cancelled' ? (stopped ?? sent) : (sent ?? stopped);
  }

  const ended = await sendAndSettle().finally(() => parts.failedFile?.close().catch(noteUnwritten));
  if (ended && ended !== 'cancelled') return end('stopped', ended);
  return unwritten ? end('stopped', unwritten) : end(ended ?? 'complete');
}

/** The limit of batches that were sent and have no answer yet. */
const mostUnderWay = 2;

/** A batch goes to another process, so it must stay well below the size limit of a message. */
const mostChars = 4 * 1024 * 1024;

/** Why a file that was read once cannot be read again, for example because another program changed it. */
async function unreadableNow({ path, stamp }: ImportFile, error: unknown): Promise<AppErrorDetails> {
  if (!isAppError(error)) throw error;
  return (await stampOf(path)) === stamp ? appErrorDetails(error) : wasChanged(path);
}

function wasChanged(path: string): AppErrorDetails {
  return {
    code: 'invalid_argument',
    message: `${path} was changed while it was imported`,
    hint: 'Some rows may be stored. Check that before you import it again: rows without an id would be stored twice.',
  };
}

function sameIdAs(line: number): string {
  return `Line ${line} has the same id and other values. One id can have only one row`;
}

function existsAlready({ line }: SourceRow): AppErrorDetails {
  return {
    code: 'conflict',
    message: `The id of the row at line ${line} exists already`,
    hint: 'Import the file again. Choose to leave existing rows alone, or to replace them.',
  };
}

function checkedOnly(batch: Waiting[]): ImportBatch {
  return { outcomes: batch.map(({ row }) => ({ id: String(row.ordinal), status: 'stored' })) };
}

async function sendAll(send: NonNullable<Parts['send']>, batch: Waiting[]): Promise<ImportBatch> {
  const rows = batch.map(({ row, fitted }) => ({ id: String(row.ordinal), values: fitted.values }));
  try {
    return await send(rows);
  } catch (error) {
    return unansweredRows(rows, error);
  }
}

/** The answer for rows whose sending failed. It is unknown which of them arrived. */
export function unansweredRows(rows: readonly ImportedRow[], error: unknown): ImportBatch {
  if (!isAppError(error)) throw error;
  const problem = `Sent, but the answer never came: ${error.message}`;
  return {
    outcomes: rows.map(({ id }) => ({ id, status: 'unknown', problem })),
    stopped: appErrorDetails(error),
  };
}
