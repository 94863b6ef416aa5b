import type { RowKey } from '@trestle/driver-kit';
import type { CopyCounts } from '../types.ts';

/** The position of a copy. It is stored, so that an interrupted copy can continue there. */
export interface CopyCursor {
  /** Counts the rows of the finished partitions, and of the current partition up to `after`. */
  counts: Omit<CopyCounts, 'total'>;
  /**
   * The part of `counts` that belongs to `partition`. Its numbers are 0 after the partition is finished. Undefined in
   * a new cursor, and in a cursor that an earlier version stored.
   */
  here?: Stored;
  /** Partitions that are copied and checked. A table without partitions has one with an empty name. */
  finished: FinishedPlace[];
  /** The partition that is being copied. */
  partition: string;
  /** Every row of the partition up to this one is stored. Null: none yet. */
  after: RowKey | null;
  /** The copy created the target. So a row that the target has already is one of its own, from before an interruption. */
  ownTarget?: boolean;
  /** Keys of some rows so far, to compare at the end of the partition. */
  keys: RowKey[];
}

export interface FinishedPlace {
  partition: string;
  rows: number;
  compared: number;
  different: string[];
}

type Stored = Pick<CopyCounts, 'copied' | 'existing'>;

export const newCursor = (): CopyCursor => ({
  counts: { copied: 0, existing: 0, failed: 0, unknown: 0 },
  finished: [],
  partition: '',
  after: null,
  keys: [],
});

/** Moves from the current partition to another. The rows of an unfinished partition are taken out of the counts. */
export function enterPartition(cursor: CopyCursor, partition: string): void {
  const { copied, existing } = cursor.here ?? noRows;
  cursor.counts.copied -= copied;
  cursor.counts.existing -= existing;
  Object.assign(cursor, { partition, after: null, keys: [], here: noRows });
}

/** Sets the counts of the current partition, and adjusts `counts` to them. */
export function countHere(cursor: CopyCursor, here: Stored): void {
  const before = cursor.here ?? noRows;
  cursor.counts.copied += here.copied - before.copied;
  cursor.counts.existing += here.existing - before.existing;
  cursor.here = here;
}

export function finishPartition(cursor: CopyCursor, finished: Omit<FinishedPlace, 'partition'>): void {
  cursor.finished.push({ partition: cursor.partition, ...finished });
  cursor.here = noRows;
}

const noRows: Stored = { copied: 0, existing: 0 };
