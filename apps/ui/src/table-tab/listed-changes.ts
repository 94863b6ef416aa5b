import { type Failure, type StagedEdits, type StagedRows, stagedRows } from '@trestle/core/staged-edits';
import { type Cell, ownValue, type RowKey } from '@trestle/driver-kit';

/** A row with staged changes, as the list of changes shows it. */
export interface ListedRow {
  row: string;
  /** Null for a new row. */
  key: RowKey | null;
  kind: 'update' | 'insert' | 'delete';
  cells: ListedCell[];
  /** The error of the last save. */
  problem: string | undefined;
  /** Somebody else changed the row since it was read. */
  conflict: Failure['conflict'];
  /** What the user saw of a deleted row. */
  seen?: Record<string, Cell> | undefined;
}

export interface ListedCell {
  column: string;
  /** Undefined in a new row, or if the page did not have the value. */
  from: Cell | undefined;
  to: Cell;
  /** Why `to` does not fit its column. */
  problem: string | undefined;
}

/** The staged changes, row by row, with the old values that are known. */
export function listedChanges(edits: StagedEdits, rows: StagedRows = stagedRows(edits)): ListedRow[] {
  const failureOf = (row: string) => {
    const { message, conflict } = edits.failures[row] ?? {};
    return { problem: message, conflict };
  };
  const cellsOf = (row: string, values: Record<string, Cell>, seen: Record<string, Cell> = {}) =>
    Object.entries(values).map(([column, to]) => ({
      column,
      from: ownValue(seen, column),
      to,
      problem: ownValue(rows.invalid.get(row), column),
    }));
  const listed: ListedRow[] = [];
  for (const [row, values] of rows.inserted) {
    listed.push({ row, key: null, kind: 'insert', cells: cellsOf(row, values), ...failureOf(row) });
  }
  for (const [row, { key, values }] of rows.updated) {
    if (rows.deleted.has(row)) continue;
    listed.push({
      row,
      key,
      kind: 'update',
      cells: cellsOf(row, values, rows.seen.updated.get(row)),
      ...failureOf(row),
    });
  }
  for (const [row, key] of rows.deleted) {
    listed.push({ row, key, kind: 'delete', cells: [], seen: rows.seen.deleted.get(row), ...failureOf(row) });
  }
  return listed;
}
