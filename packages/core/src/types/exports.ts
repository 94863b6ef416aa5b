import type { ExportRequest, RowSet, TableDescription } from '@trestle/driver-kit';
import type { ProgramRights } from './imports.ts';

export interface TableExport extends Omit<ExportRequest, 'guarded' | 'columns' | 'vectors'> {
  connectionId: string;
  /**
   * Defaults to all columns that are not hidden. Without `withVectors`, the default also leaves out the columns that
   * the table's description marks as `deferred`.
   */
  columns?: string[];
  withVectors?: boolean;
}

export interface BegunExport {
  id: string;
  table: TableDescription;
  columns: string[];
  /** The number of matching rows at the start. Null if the database cannot count. */
  total: number | null;
}

/** Rows of a table for `trestle export`, which reads them as fast as it writes its file. */
export interface Exports {
  begin(
    request: TableExport,
    signal: AbortSignal,
    rights?: Pick<ProgramRights, 'assertOpen'>,
  ): Promise<BegunExport>;
  /** The next rows, null at the end. A few megabytes at most, unless a single row is larger. */
  read(id: string): Promise<RowSet | null>;
  /** Must be called for each export: until then, a statement or a cursor is open. */
  end(id: string): void;
}
