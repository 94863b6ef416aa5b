import type { Cell, TableDescription, Written } from '@trestle/driver-kit';
import type { AppErrorDetails } from '../errors.ts';
import type { Hold } from './budget.ts';
import type { TablePart } from './staged.ts';

export interface ImportTarget extends TablePart {
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
   * With `stopped`, rows of the batch may be missing here: they were not written.
   */
  outcomes: ImportOutcome[];
  /** Why no further batch should be sent. */
  stopped?: AppErrorDetails;
}

export interface ImportCounts {
  stored: number;
  replaced: number;
  existing: number;
  failed: number;
  unknown: number;
}

export interface ImportReport extends ImportCounts {
  /**
   * The number of rows in the file. If the import ends early, the other counts may add up to less, because some rows
   * were not sent or not replaced.
   */
  rows: number;
  ended: 'complete' | 'cancelled' | 'stopped';
  /** Why the import stopped early. */
  error?: AppErrorDetails;
  /** Rows that are stored, although the database reports a problem with them. */
  warnings?: { rows: number; first: { line: number; problem: string } };
}

/** The state of an import, in its job. */
export interface ImportDetail {
  file: { id: string; rows: number };
  existing: 'skip' | 'replace' | 'stop';
  map: Record<string, string | null>;
  newIds: boolean;
  /** The database numbers rows without an id, so a second import adds them again. */
  isNumbered: boolean;
  counts: ImportCounts;
  /** Null while the import runs, and if it could not begin. */
  report: ImportReport | null;
  problems: { line: number; problem: string }[];
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
