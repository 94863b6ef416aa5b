import type { RowKey } from '@trestle/driver-kit';
import type { CopyCounts } from '../types.ts';

/** The position of a copy. It is stored after each batch, so that an interrupted copy can continue there. */
export interface CopyCursor {
  counts: Omit<CopyCounts, 'total'>;
  /** Partitions that are copied and checked. A table without partitions has one with an empty name. */
  finished: FinishedPlace[];
  /** The partition that is being copied. */
  partition: string;
  /** The last row up to which every row of the partition is stored. Null: none yet. */
  after: RowKey | null;
  /** Keys of some rows so far, to compare at the end of the partition. */
  keys: RowKey[];
}

export interface FinishedPlace {
  partition: string;
  rows: number;
  compared: number;
  different: string[];
}

export const newCursor = (): CopyCursor => ({
  counts: { copied: 0, existing: 0, failed: 0, unknown: 0 },
  finished: [],
  partition: '',
  after: null,
  keys: [],
});
