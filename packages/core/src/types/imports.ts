import type { Cell, TableDescription, Written } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';
import type { Hold } from './budget.ts';
import type { SaveTarget } from './saves.ts';

export interface ImportTarget extends SaveTarget {
  /** True: update rows whose id exists. False: leave them alone. */
  replace: boolean;
  /** The number of rows in the file, if they were counted. */
  rows?: number;
}

/**
 * The rights of a program that works without the administrator passphrase. The user may lower them while an import, a
 * copy or an export runs.
 */
export interface ProgramRights {
  /** Throws if the program may not continue. Called at least once before each batch. */
  assertOpen(): void;
  /** The most rows that an import may replace. It stops before it replaces more. */
  mostReplaced(): number;
  /**
   * Takes rows that an import replaces from those that programs may change in an hour. Throws if there are too few. New
   * rows do not count.
   */
  reserve(wanted: Written, signal: AbortSignal): Promise<Hold>;
}

export interface ImportedRow {
  /** The caller's name for the row in this batch. */
  id: string;
  values: Record<string, Cell>;
}

export interface ImportOutcome {
  id: string;
  /** `existing`: a row with this id exists and was left alone. `unknown`: the row was sent and never answered. */
  status: 'stored' | 'replaced' | 'existing' | 'failed' | 'unknown';
  /** A warning with `stored` or `replaced`, otherwise an error. */
  problem?: string;
}

export interface ImportBatch {
  /**
   * Rows of the batch may be missing here. With `stopped`, they were not written. Without `stopped`, they count as
   * `unknown`.
   */
  outcomes: ImportOutcome[];
  /** Why no further batch should be sent. */
  stopped?: AppErrorDetails;
}

/** Imports rows of a file into one table, batch by batch. */
export interface Imports {
  /** The id for the following batches, and the table's description. Without `rights`, a person imports. */
  begin(
    target: ImportTarget,
    signal: AbortSignal,
    rights?: ProgramRights,
  ): Promise<{ id: string; table: TableDescription }>;
  send(id: string, rows: ImportedRow[], signal: AbortSignal): Promise<ImportBatch>;
  end(id: string): void;
}
