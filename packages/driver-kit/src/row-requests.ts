import type { Filter, Match, Sort } from './filter.ts';
import type { Guarded } from './guarded.ts';
import type { SearchExplanation } from './search-explanation.ts';
import type { Cell, Json, RowKey, RowSet } from './values.ts';

export interface CountRequest {
  table: string;
  partition?: string;
  filters: Filter[];
  match: Match;
  guarded?: Guarded;
}

export interface BrowseRequest extends CountRequest {
  /** Key columns are always included. Defaults to every column that is not deferred. */
  columns?: string[];
  sort: Sort[];
  limit: number;
  offset: number;
  /** See `ExportRequest.exact`. */
  exact?: boolean;
}

export interface Page {
  rows: RowSet;
  /** For a search with `groupBy`: the groups in the order of the rows. `rows` is the group's number of rows. */
  groups?: { value: string; rows: number }[];
  /** A note for the reader of the page, for example why the last page is shorter. */
  note?: string;
  /** The number of rows that paging can reach, if the database limits paging. */
  depth?: number;
  /**
   * For a search with `explain`: one per row. Undefined if the search gives only distances and no scores, or if the
   * rows are grouped.
   */
  explanations?: SearchExplanation[];
}

export interface ReadCellsRequest {
  table: string;
  partition?: string;
  keys: RowKey[];
  columns: string[];
  guarded?: Guarded;
  /** See `ExportRequest.exact`. */
  exact?: boolean;
}

export interface ExportRequest extends CountRequest {
  /** If a column keeps 5 and 5.0 apart, its head has `apart`, and its integers are bigints. */
  exact?: boolean;
  columns?: string[];
  sort: Sort[];
  /** Only rows after the row with this key, in the order of an export without a sort. A driver may ignore `after`. */
  after?: RowKey;
  /**
   * Columns to read as vectors. Each is a column whose description has `vector`. A vector of another length than the
   * first one may be reported as missing.
   */
  vectors?: string[];
  /** How the driver host shortens the vectors. The driver itself never sees this member. */
  shortVectors?: ShortVectors;
}

export interface ShortVectors {
  /** Longer vectors are shortened to this many numbers. With fewer numbers, the distances are less exact. */
  dimensions: number;
  /** Scale each vector to length 1 before it is shortened. The cosine distance needs this. A zero vector stays zero. */
  unit: boolean;
}

export interface SampleRequest extends Omit<ExportRequest, 'sort'> {
  rows: number;
}

export interface ReadReferencesRequest {
  table: string;
  partition?: string;
  column: string;
  cells: Cell[];
}

export interface FindReferencesRequest {
  table: string;
  partition?: string;
  column: string;
  /** A part of the title. If empty, any row fits. */
  text: string;
  limit: number;
}

/** A row that a reference points to. */
export interface ReferenceTarget {
  table: string;
  key: RowKey;
  /** Null if the row no longer exists. */
  title: string | null;
  /** The element that refers to the row, as a cell stores it. */
  value: Json;
}
