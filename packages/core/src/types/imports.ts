import type { Cell, TableDescription } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';
import type { SaveTarget } from './saves.ts';

export interface ImportTarget extends SaveTarget {
  /** Rows whose id exists already are updated. Otherwise they are left alone. */
  replace: boolean;
}

export interface ImportedRow {
  /** The caller's name for the row in this batch. */
  id: string;
  values: Record<string, Cell>;
}

export interface ImportOutcome {
  id: string;
  /** `existing`: a row with this id is there and was left alone. `unknown`: sent, and its answer never came. */
  status: 'stored' | 'replaced' | 'existing' | 'failed' | 'unknown';
  problem?: string;
}

export interface ImportBatch {
  /** A row without an outcome was not sent. */
  outcomes: ImportOutcome[];
  /** Why no further batch is worth sending. */
  stopped?: AppErrorDetails;
}

/** Rows from a file into one table, batch by batch. */
export interface Imports {
  /** An id for the batches that follow, and the columns that there are. */
  begin(target: ImportTarget, signal: AbortSignal): Promise<{ id: string; table: TableDescription }>;
  send(id: string, rows: ImportedRow[], signal: AbortSignal): Promise<ImportBatch>;
  end(id: string): void;
}
