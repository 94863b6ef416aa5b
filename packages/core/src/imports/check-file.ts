import { fitRow } from './fit-row.ts';
import type { ImportPlan } from './plan-import.ts';
import { readRows } from './read-rows.ts';
import { readText } from './read-text.ts';
import type { ImportFile } from './survey-file.ts';

export interface FileCheck {
  /** Rows that would be sent. */
  fit: number;
  /** For each column of the file with misfits: how many values do not fit, and the problem of the first. */
  columns: Record<string, Misfits>;
  /** Rows that fail although no single value is wrong, for example because the id is missing. */
  rows: Misfits;
}

export interface Misfits {
  count: number;
  first?: { line: number; problem: string };
}

/** Reads a whole file and counts the values that do not fit the table. Sends nothing. */
export async function checkFile(
  file: ImportFile,
  plan: ImportPlan,
  { signal }: { signal: AbortSignal },
): Promise<FileCheck> {
  const check = { fit: 0, rows: { count: 0 } };
  // A plain object would already have a member for a column named `constructor`.
  const columns = new Map<string, Misfits>();
  for await (const rows of readRows(readText(file.path, { signal }))) {
    for (const row of rows) {
      const fitted = fitRow(row, plan, file);
      if (fitted.ok) check.fit++;
      else if (!fitted.columns || fitted.columns.size === 0) note(check.rows, row.line, fitted.problem);
      else {
        for (const [name, problem] of fitted.columns) {
          const misfits = columns.get(name) ?? { count: 0 };
          columns.set(name, misfits);
          note(misfits, row.line, problem);
        }
      }
    }
    signal.throwIfAborted();
  }
  return { ...check, columns: Object.fromEntries(columns) };
}

function note(misfits: Misfits, line: number, problem: string): void {
  misfits.count++;
  misfits.first ??= { line, problem };
}
