/** Rows as the driver, core and window exchange them: by column. Vectors of equal length may share one Float32Array. */

export type Json = null | string | number | boolean | Json[] | { [key: string]: Json };

/** One cell. `bigint` only for an integer that a double might round. `Uint8Array` for binary data. */
export type Cell = null | string | number | bigint | boolean | Uint8Array | Json[] | { [key: string]: Json };

export type ColumnType =
  | 'text'
  | 'int'
  | 'number'
  | 'boolean'
  | 'date'
  | 'uuid'
  | 'bytes'
  | 'json'
  | 'vector'
  /** The column may hold a different type in each row (SQLite). */
  | 'any';

export interface ColumnHead {
  name: string;
  type: ColumnType;
  /** The database's name for the type, for people. */
  nativeType: string;
  /**
   * The stored column that the values come from, whatever the result calls it. Undefined for a computed
   * column.
   */
  origin?: ColumnOrigin;
  /** The values come from a guarded column. They are replaced for callers that may not see them. */
  masked?: boolean;
  /** In an answer to an exact request: an integer of this column is a bigint, and a number is a floating-point number. */
  apart?: boolean;
  /** The column says how well a row matches a search. Only the first digits matter, so the values are shown rounded. */
  isMeasure?: boolean;
  /** The measure is a distance: the smaller it is, the better the row matches. */
  isDistance?: boolean;
}

export interface ColumnOrigin {
  table: string;
  column: string;
}

export type ColumnValues =
  | { kind: 'cells'; cells: Cell[] }
  /** `floats` has `dimensions` numbers per row. `present[row]` is 0 if the row has no vector. */
  | { kind: 'vectors'; dimensions: number; floats: Float32Array; present: Uint8Array };

export interface RowSet {
  rowCount: number;
  columns: ColumnHead[];
  /** Parallel to `columns`. */
  values: ColumnValues[];
}

/** The values of a table's key columns, by column name. */
export type RowKey = Record<string, Cell>;

export function cellAt(rows: RowSet, column: number, row: number): Cell {
  const values = rows.values[column];
  if (!values) throw new RangeError(`No column ${column}`);
  if (values.kind === 'cells') return values.cells[row] ?? null;
  if (!values.present[row]) return null;
  const vector = values.floats.subarray(row * values.dimensions, (row + 1) * values.dimensions);
  return Array.from(vector, float32ToNumber);
}

/** One row as an object by column name. */
export function rowAt(rows: RowSet, row: number): Record<string, Cell> {
  return Object.fromEntries(rows.columns.map((column, index) => [column.name, cellAt(rows, index, row)]));
}

export function rowSetFromCells(columns: ColumnHead[], rows: Cell[][]): RowSet {
  return {
    rowCount: rows.length,
    columns,
    values: columns.map((_, index) => ({ kind: 'cells', cells: rows.map((row) => row[index] ?? null) })),
  };
}

/** A decimal of at most 9 digits that parses to the same float32: 0.1 and not 0.10000000149011612. */
export function float32ToNumber(value: number): number {
  // `toPrecision` drops the sign of -0.
  if (!Number.isFinite(value) || value === 0) return value;
  for (let digits = 6; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
