import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { RowSet } from '@trestle/driver-kit';
import { AppError, type AppErrorDetails, appErrorDetails, isAppError } from '../errors.ts';
import { partOf } from './cut-rows.ts';
import type { ExportWriter } from './export-writer.ts';
import { type ParquetOptions, parquetWriter } from './parquet-writer.ts';

type Question = { rows: RowSet } | { end: true };
type Answer = { bytes: Uint8Array } | { error: AppErrorDetails };

/** The thread runs this same file. Only the thread has this value in its `workerData`. */
const role = 'parquet';

/**
 * Writes Parquet in a thread of its own: encoding a group of rows would keep the app from answering its windows. The
 * first call of `rows` or `end` starts the thread.
 */
export function parquetThread(options: ParquetOptions): ExportWriter<Promise<Uint8Array>> {
  let thread: Worker | undefined;
  let isClosed = false;
  let waiting: { resolve(bytes: Uint8Array): void; reject(error: unknown): void } | undefined;

  const settle = (end: (one: NonNullable<typeof waiting>) => void) => {
    const one = waiting;
    waiting = undefined;
    thread?.unref();
    if (one) end(one);
  };
  const start = () =>
    new Worker(new URL(import.meta.url), { workerData: { role, options }, env: {} })
      .on('message', (answer: Answer) =>
        settle((one) =>
          'bytes' in answer ? one.resolve(answer.bytes) : one.reject(new AppError(answer.error)),
        ),
      )
      .on('error', (error) => settle((one) => one.reject(error)))
      .on('exit', () => settle((one) => one.reject(new Error('The thread that writes Parquet has ended'))));

  const ask = (question: Question): Promise<Uint8Array> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new Error('The export was cancelled'));
      waiting = { resolve, reject };
      thread ??= start();
      // In a command, nothing else keeps the process running until the answer arrives.
      thread.ref();
      thread.postMessage(question);
    });

  const close = () => {
    isClosed = true;
    void thread?.terminate();
  };
  return {
    rows: (rows, from, to) => ask({ rows: partOf(rows, from, to) }),
    end: () => ask({ end: true }).finally(close),
    close,
  };
}

if (!isMainThread && workerData?.role === role) answerQuestions(workerData.options);

function answerQuestions(options: ParquetOptions): void {
  const writer = parquetWriter(options);
  const answerTo = (question: Question): Answer => {
    try {
      const bytes = 'end' in question ? writer.end() : writer.rows(question.rows, 0, question.rows.rowCount);
      return { bytes };
    } catch (error) {
      // An AppError: a value does not fit its column. Any other error ends the thread, and with it the export.
      if (!isAppError(error)) throw error;
      return { error: appErrorDetails(error) };
    }
  };
  parentPort?.on('message', (question: Question) => parentPort?.postMessage(answerTo(question)));
}
