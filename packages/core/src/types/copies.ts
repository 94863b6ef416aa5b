import type { AppErrorDetails } from '../errors.ts';
import type { ProgramRights } from './imports.ts';

export interface CopyRequest {
  from: { connectionId: string; table: string };
  to: { connectionId: string; table: string };
  /** True: the target may exist, and an unfinished copy continues. */
  goOn: boolean;
}

export interface CopyCounts {
  copied: number;
  /** Rows that were in the target already. */
  existing: number;
  failed: number;
  /** Rows that were sent and may be stored. A copy that continues finds them, or sends them again. */
  unknown: number;
  /** Rows of the source when the copy began or continued, without partitions that could not be read. */
  total: number;
}

export interface CopyReport extends CopyCounts {
  /** This run of the copy created the target. */
  isNew: boolean;
  /** Partitions that could not be read and were skipped. */
  unavailable: string[];
  ended: 'complete' | 'cancelled' | 'stopped';
  error?: AppErrorDetails;
  /**
   * Rows of the target. Only partitions that were copied to the end are counted. A table without partitions counts as
   * one partition.
   */
  inTarget: number;
  /** Rows that were read on both sides and compared. */
  compared: number;
  /** Keys of the compared rows that differ or are missing in the target. */
  different: string[];
  /** The first rows that failed, stayed unknown or were stored with a warning, and why. */
  problems: string[];
}

/** A copy that runs, or ended and was not dismissed. */
export interface KnownCopy extends Pick<CopyRequest, 'from' | 'to'> {
  id: string;
  startedAt: string;
  /** `interrupted`: the app ended during the copy. */
  state: 'running' | 'interrupted' | 'done';
  counts: CopyCounts;
  report: CopyReport | null;
}

export type CopyState = { state: 'running'; counts: CopyCounts } | { state: 'done'; report: CopyReport };

/** Copies of tables. A copy runs in the app. Its cursor is stored, so a copy that was interrupted can continue. */
export interface Copies {
  /** With `goOn`, an unfinished copy between the same two tables continues, if possible where it stopped. */
  begin(request: CopyRequest, rights?: Pick<ProgramRights, 'assertOpen'>): Promise<{ id: string }>;
  /** Newest first. */
  list(): KnownCopy[];
  progress(id: string): CopyState;
  /** Rows that were already sent may still be written. */
  cancel(id: string): void;
  /** Dismisses a copy that has ended. It can no longer be continued from its cursor. */
  forget(id: string): void;
}
