import type { Comparison } from './comparison.ts';

/** What the view of a tab remembers: plain JSON. */
export interface LabState extends Comparison {
  shows: 'one' | 'set';
  /** The set of queries that marks go to; null: the first there is. */
  setId: string | null;
}
