import type { CountRequest } from '@trestle/driver-kit';
import type { MapRows } from './map-rows.ts';

/** The requested map. */
export interface MapQuestion {
  connectionId: string;
  request: CountRequest;
  vector: string;
  /** How vectors are compared. Cosine ignores their length. */
  metric: 'cosine' | 'euclidean';
  key: string[];
  /** Columns that a point may be coloured or named by. */
  columns: string[];
  limit: number;
  /** There are more rows than the limit, and the driver samples them at random. */
  sample: boolean;
}

/**
 * Leaves out `sample`. An open map is drawn again when its id changes. One added row may change `sample`, but must not
 * draw the map again.
 */
export function questionId({ sample: _, ...question }: MapQuestion): string {
  return JSON.stringify(question);
}

export interface DrawnMap {
  rows: MapRows;
  positions: Float32Array;
}

export type MapState =
  | { stage: 'opening' }
  | { stage: 'reading'; read: number; rate: number; drawn?: DrawnMap }
  | { stage: 'laying'; read: number; progress: number; drawn?: DrawnMap }
  | DoneMap
  | { stage: 'cancelled'; drawn?: DrawnMap }
  | { stage: 'failed'; error: unknown };

export interface DoneMap {
  stage: 'done';
  drawn: DrawnMap;
  /** More rows match the request than were read. */
  more: boolean;
  /** When the reading of the rows began, in milliseconds since 1970. */
  at: number;
}

/** Whether points may still appear. A map that failed, was cancelled or is done gets no more points. */
export function isUnderway({ stage }: MapState): boolean {
  return stage === 'opening' || stage === 'reading' || stage === 'laying';
}
