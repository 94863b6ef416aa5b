import type { Comparison } from './comparison.ts';

/** The stored state of the view of a tab: plain JSON. */
export interface LabState extends Comparison {
  shows: 'one' | 'set';
  /** The query set that receives the marks; null means the first one. */
  setId: string | null;
}
