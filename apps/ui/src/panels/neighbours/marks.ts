import type { ScannedRow } from './scan.ts';

/** The rows that are marked for deletion, as staged edits of the table. */
export interface DeletionMarks {
  /** Why rows of this table cannot be deleted; undefined if they can. */
  refusal: string | undefined;
  isMarked(row: ScannedRow): boolean;
  mark(rows: ScannedRow[]): void;
  unmark(rows: ScannedRow[]): void;
}

export function toggleMark(marks: DeletionMarks, row: ScannedRow): void {
  if (marks.refusal !== undefined) return;
  if (marks.isMarked(row)) marks.unmark([row]);
  else marks.mark([row]);
}
