import {
  type AppErrorDetails,
  appErrorDetails,
  type ImportBatch,
  type ImportCounts,
  type ImportedRow,
  type ImportPlan,
  type ImportReport,
  isAppError,
  runImport,
} from '@trestle/core';
import type { ImportFiles, KeptFile } from './import-files.ts';

/** One line of the answer of `POST /data/import/run`. A complete answer ends with `report` or `error`. */
export type ImportFrame =
  | { counts: ImportCounts }
  | { report: ImportReport; problems: ImportProblem[] }
  | { error: AppErrorDetails };

interface ImportProblem {
  line: number;
  problem: string;
}

/** The window gets at most this many problems. The file of failed rows is not limited. */
const shownProblems = 200;

/** The least time between two lines of progress. Small batches would send more lines than a window can draw. */
const paceMs = 100;

interface Parts {
  kept: KeptFile;
  plan: ImportPlan;
  files: ImportFiles;
  stopAtExisting: boolean;
  send(rows: ImportedRow[]): Promise<ImportBatch>;
  signal: AbortSignal;
  onEnd(): void;
  /** Logs an error that the user sees without its details. */
  report(error: unknown): void;
}

/** Runs an import and yields its progress. */
export async function* importFrames(parts: Parts): AsyncGenerator<ImportFrame> {
  const { kept, plan, files, signal } = parts;
  const problems: ImportProblem[] = [];
  let counts: ImportCounts | null = null;
  let changed = Promise.withResolvers<void>();
  const failedFile = await files.openFailed(kept).catch((error: unknown) => {
    // This import ends its turn even after an error. Otherwise the next import of the file would wait forever.
    parts.onEnd();
    throw error;
  });
  const work = runImport({
    file: kept.file,
    plan,
    send: parts.send,
    stopAtExisting: parts.stopAtExisting,
    failedFile,
    onFailed({ line }, { problem }) {
      if (problems.length < shownProblems) problems.push({ line, problem });
    },
    onProgress(now) {
      counts = { ...now };
      changed.resolve();
    },
    signal,
  }).finally(parts.onEnd);
  // A closed window asks for no more frames, so the code below may never see a failure. Unhandled, the failure would
  // stop the app. Only an unexpected failure is logged.
  work.catch((error: unknown) => {
    if (!isAppError(error)) parts.report(error);
  });
  try {
    for (;;) {
      const isOver = await Promise.race([work.then(() => true), changed.promise.then(() => false)]);
      if (isOver) break;
      changed = Promise.withResolvers<void>();
      yield { counts: counts! };
      await Promise.race([work, new Promise((resolve) => setTimeout(resolve, paceMs))]);
    }
    yield { report: await work, problems };
  } catch (error) {
    yield {
      error: isAppError(error)
        ? appErrorDetails(error)
        : { code: 'internal', message: 'Trestle could not finish the import; see its log' },
    };
    if (!isAppError(error)) throw error;
  }
}
