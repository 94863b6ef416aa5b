import { type FileHandle, open, rm } from 'node:fs/promises';
import { AppError, failedRows, type ImportFile, type RowFailure, type SourceRow } from '@trestle/core';

export interface FailedFile {
  /** Where it was written; null while no row failed. */
  readonly path: string | null;
  write(row: SourceRow, failure: RowFailure): Promise<void>;
  close(): Promise<void>;
}

/** The report of failed rows. It is made with the first of them, and never put in the place of another file. */
export async function openFailedFile(path: string | undefined, file: ImportFile): Promise<FailedFile> {
  const report = failedRows(file);
  let handle: FileHandle | null = null;
  if (path !== undefined) await assertFree(path);
  return {
    get path() {
      return handle && path !== undefined ? path : null;
    },
    async write(row, failure) {
      if (path === undefined) return;
      handle ??= await open(path, 'wx', 0o600);
      await handle.appendFile(report.row(row, failure));
    },
    async close() {
      await handle?.appendFile(report.end());
      await handle?.close();
    },
  };
}

/** Before anything is sent: a report that cannot be written would lose the reasons. */
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
