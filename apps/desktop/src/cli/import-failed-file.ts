import { type FileHandle, open, rm } from 'node:fs/promises';
import {
  AppError,
  type AppErrorDetails,
  failedRows,
  type ImportFile,
  type RowFailure,
  type SourceRow,
} from '@trestle/core';

interface FailedFile {
  /** The path of the file. Null while there is no file. */
  readonly path: string | null;
  /** Why the file is incomplete or missing, such as a full disk. `write` does not throw. */
  readonly problem: AppErrorDetails | null;
  write(row: SourceRow, failure: RowFailure): Promise<void>;
  close(): Promise<void>;
}

/** The report of failed rows. Created with the first failed row. Never overwrites a file. */
export async function openFailedFile(path: string | undefined, file: ImportFile): Promise<FailedFile> {
  const report = failedRows(file);
  let handle: FileHandle | null = null;
  let problem: AppErrorDetails | null = null;
  const append = async (write: () => Promise<void> | undefined) => {
    if (problem) return;
    try {
      await write();
    } catch (error) {
      problem = {
        code: 'storage_failed',
        message: `${path} could not be written: ${(error as Error).message}`,
        hint: handle ? 'The file is incomplete. Delete it before you import again.' : 'Choose another file.',
      };
    }
  };
  if (path !== undefined) await assertFree(path);
  return {
    get path() {
      return handle && path !== undefined ? path : null;
    },
    get problem() {
      return problem;
    },
    async write(row, failure) {
      if (path === undefined) return;
      await append(async () => {
        handle ??= await open(path, 'wx', 0o600);
        await handle.appendFile(report.row(row, failure));
      });
    },
    async close() {
      await append(() => handle?.appendFile(report.end()));
      // Node ends the process if it garbage-collects an open file handle.
      await handle?.close();
    },
  };
}

/**
 * Throws if the file exists or cannot be created. Called before any row is sent: without the report, the user would not
 * learn which rows failed and why.
 */
async function assertFree(path: string): Promise<void> {
  try {
    const handle = await open(path, 'wx', 0o600);
    await handle.close();
    await rm(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST')
      throw new AppError({ code: 'invalid_argument', message: `${path} cannot be written: ${message}` });
    throw new AppError({
      code: 'conflict',
      message: `${path} exists already`,
      hint: 'Name another file for the failed rows, or delete this one.',
    });
  }
}
