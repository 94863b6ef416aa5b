import { type FileHandle, open } from 'node:fs/promises';
import { type FailedRows, failedRows, type RowFailure } from './failed-rows.ts';
import type { ReportColumns } from './plan-import.ts';
import type { SourceRow } from './source-row.ts';
import type { ImportFile } from './survey-file.ts';

export interface FailedFile {
  /** How many rows the file has or should have. 0: no file was created. */
  readonly rows: number;
  /** Null until the file is closed, and if it is incomplete or was not created. */
  readonly path: string | null;
  /** `names`: the same for each row. */
  write(row: SourceRow, failure: RowFailure, names: ReportColumns): Promise<void>;
  close(): Promise<void>;
}

/** The failed rows of an import as a file, which can be imported. Created with the first row. Never overwrites a file. */
export function createFailedFile(path: string, file: ImportFile): FailedFile {
  let report: FailedRows | undefined;
  let handle: FileHandle | null = null;
  let rows = 0;
  let written = 0;
  let isClosed = false;
  return {
    get rows() {
      return rows;
    },
    get path() {
      return isClosed && written === rows ? path : null;
    },
    async write(row, failure, names) {
      handle ??= await open(path, 'wx', 0o600);
      report ??= failedRows(file, names);
      rows++;
      await handle.appendFile(report.row(row, failure));
      written++;
    },
    async close() {
      if (!handle || !report) return;
      try {
        await handle.appendFile(report.end());
        isClosed = true;
      } finally {
        // Node ends the process if it garbage-collects an open file handle.
        await handle.close();
      }
    },
  };
}
