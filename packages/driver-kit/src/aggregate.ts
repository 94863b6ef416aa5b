import type { CountRequest } from './row-requests.ts';
import type { RowSet } from './values.ts';

export const measures = ['count', 'sum', 'mean', 'min', 'max', 'top_values'] as const;

/** `count`: of the values that are not NULL. `top_values`: a list of `[value, rows]`, the most frequent first. */
export type Measure = (typeof measures)[number];

export interface Measured {
  column: string;
  measure: Measure;
}

/** Counts the matching rows in groups, and measures other columns in each group. */
export interface AggregateRequest extends CountRequest {
  /** The columns whose values make the groups. Without them, all matching rows are one group. */
  by: string[];
  measured: Measured[];
  /** The most groups, those with the most rows. */
  groups: number;
}

export interface Aggregated {
  /** A row for each group: the columns of `by`, `rows`, and `measure(column)` for each measured column. */
  rows: RowSet;
  /** There are more groups. */
  hasMore: boolean;
  /** What the reader must know to read the numbers, for example that some rows are in no group. */
  note?: string;
}

export const topValues = 5;

/** The name of the column that counts the rows of a group. A column of `by` may have the same name. */
export function countName(by: readonly string[]): string {
  let name = 'rows';
  while (by.includes(name)) name = `${name} (count)`;
  return name;
}

export function measureName({ measure, column }: Measured): string {
  return `${measure}(${column})`;
}

/** The names of an aggregate's columns, in their order. */
export function aggregateNames({ by, measured }: Pick<AggregateRequest, 'by' | 'measured'>): string[] {
  return [...by, countName(by), ...measured.map(measureName)];
}
