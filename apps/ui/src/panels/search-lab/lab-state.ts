import type { Comparison } from './comparison.ts';

/** The state of the Compare view that a tab stores: plain JSON. */
export interface LabState extends Comparison {
  shows: 'one' | 'set';
  /** The query set that receives the marks; null means the first one. */
  setId: string | null;
}
