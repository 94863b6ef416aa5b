import type { RowKey } from '@trestle/driver-kit';
import type { CopyCounts } from '../types.ts';

/** How far a copy is: on disk after each batch, so that it goes on there after any end. */
export interface CopyCursor {
  counts: Omit<CopyCounts, 'total'>;
  /** Partitions that are copied and checked; an empty name stands for a table without any. */
  finished: FinishedPlace[];
  /** The one that is under way. */
  partition: string;
  /** The last row of it before which every row is there. Null: from its beginning. */
  after: RowKey | null;
  /** Keys of some of its rows so far, to compare at its end. */
  keys: RowKey[];
}

export interface FinishedPlace {
  partition: string;
  rows: number;
  compared: number;
  different: string[];
}

export const newCursor = (): CopyCursor => ({
  counts: { copied: 0, existing: 0, failed: 0 },
  finished: [],
  partition: '',
  after: null,
  keys: [],
});
