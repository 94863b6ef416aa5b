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

/** The state of a copy, in its job. */
export interface CopyDetail extends Pick<CopyRequest, 'from' | 'to'> {
  counts: CopyCounts;
  /** Null while the copy runs, and if the app ended during the copy. */
  report: CopyReport | null;
}

/** Copies of tables. Each is a job. Its cursor is stored, so a copy that was interrupted can continue. */
export interface Copies {
  /**
   * Returns the id of the job. With `goOn`, an unfinished copy between the same two tables continues, if possible where
   * it stopped.
   */
  begin(request: CopyRequest, rights?: Pick<ProgramRights, 'assertOpen'>): Promise<{ id: string }>;
}
