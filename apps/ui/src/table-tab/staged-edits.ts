import type { Cell, Change, ChangeOutcome, RowKey } from '@trestle/driver-kit';
import { sameCell } from './row-id.ts';

/**
 * Edits not saved yet, as the steps that made them: undo takes the last one back, and what is staged
 * follows from the rest. Rows go by their key, so the steps hold across pages, sorts, filters and restarts.
 */
export interface StagedEdits {
  steps: Step[];
  undone: Step[];
  /** What the server said to the last save, by row. */
  failures: Record<string, Failure>;
}

export type Step =
  | { kind: 'edit'; cells: StagedCell[] }
  | { kind: 'insert'; row: string; values: Record<string, Cell> }
  | { kind: 'delete'; rows: { row: string; key: RowKey | null }[] }
  | { kind: 'restore'; rows: string[] };

export interface StagedCell {
  row: string;
  /** Null for an inserted row. */
  key: RowKey | null;
  column: string;
  cell: Cell;
  /** The value in the database, as the page showed it; absent for an inserted row. */
  from?: Cell;
}

export interface Failure {
  message: string;
  hint?: string;
}

/** What the steps come to, by row. */
export interface StagedRows {
  updated: Map<string, { key: RowKey; values: Record<string, Cell> }>;
  inserted: Map<string, Record<string, Cell>>;
  deleted: Map<string, RowKey>;
}

export const noEdits: StagedEdits = { steps: [], undone: [], failures: {} };

/** Adds a step; a row touched again loses the server's message about its earlier state. */
export function stage(edits: StagedEdits, step: Step): StagedEdits {
  const failures = { ...edits.failures };
  for (const row of rowsOf(step)) delete failures[row];
  return { steps: [...edits.steps, step], undone: [], failures };
}

export function undo(edits: StagedEdits): StagedEdits {
  const step = edits.steps.at(-1);
  if (!step) return edits;
  return { ...edits, steps: edits.steps.slice(0, -1), undone: [...edits.undone, step] };
}

export function redo(edits: StagedEdits): StagedEdits {
  const step = edits.undone.at(-1);
  if (!step) return edits;
  return { ...edits, steps: [...edits.steps, step], undone: edits.undone.slice(0, -1) };
}

/** Plays the steps. A value edited back to what the database holds is no edit. */
export function stagedRows({ steps }: StagedEdits): StagedRows {
  const rows: StagedRows = { updated: new Map(), inserted: new Map(), deleted: new Map() };
  for (const step of steps) {
    if (step.kind === 'insert') rows.inserted.set(step.row, { ...step.values });
    if (step.kind === 'restore') for (const row of step.rows) rows.deleted.delete(row);
    if (step.kind === 'delete') {
      for (const { row, key } of step.rows) {
        if (!rows.inserted.delete(row) && key) rows.deleted.set(row, key);
      }
    }
    if (step.kind === 'edit') for (const cell of step.cells) editCell(rows, cell);
  }
  return rows;
}

export interface StagedCounts {
  updated: number;
  inserted: number;
  deleted: number;
  total: number;
}

export function countStaged({ updated, inserted, deleted }: StagedRows): StagedCounts {
  let changed = 0;
  for (const row of updated.keys()) if (!deleted.has(row)) changed++;
  return {
    updated: changed,
    inserted: inserted.size,
    deleted: deleted.size,
    total: changed + inserted.size + deleted.size,
  };
}

/** Deletes first and inserts last: a key that is freed can be taken again in the same save. */
export function changesOf({ updated, inserted, deleted }: StagedRows): Change[] {
  const changes: Change[] = [];
  for (const [id, key] of deleted) changes.push({ kind: 'delete', id, key });
  for (const [id, { key, values }] of updated) {
    if (!deleted.has(id)) changes.push({ kind: 'update', id, key, values });
  }
  for (const [id, values] of inserted) changes.push({ kind: 'insert', id, values });
  return changes;
}

/** After a save: what applied is gone, what did not stays with the server's message. */
export function settle(edits: StagedEdits, outcomes: ChangeOutcome[]): StagedEdits {
  const applied = new Set<string>();
  const failures: Record<string, Failure> = {};
  for (const { id, status, error } of outcomes) {
    if (status === 'applied') applied.add(id);
    else failures[id] = failureOf(status, error);
  }
  const steps = edits.steps.flatMap((step) => withoutRows(step, applied) ?? []);
  return { steps, undone: [], failures };
}

/** Takes every edit of the given rows back. */
export function discardRows(edits: StagedEdits, rows: string[]): StagedEdits {
  const gone = new Set(rows);
  const failures = Object.fromEntries(Object.entries(edits.failures).filter(([row]) => !gone.has(row)));
  return { steps: edits.steps.flatMap((step) => withoutRows(step, gone) ?? []), undone: [], failures };
}

function editCell(rows: StagedRows, { row, key, column, cell, from }: StagedCell): void {
  const inserted = rows.inserted.get(row);
  if (inserted) {
    inserted[column] = cell;
    return;
  }
  if (!key) return;
  const values = rows.updated.get(row)?.values ?? {};
  if (from !== undefined && sameCell(cell, from)) delete values[column];
  else values[column] = cell;
  if (Object.keys(values).length > 0) rows.updated.set(row, { key, values });
  else rows.updated.delete(row);
}

function failureOf(status: ChangeOutcome['status'], error: ChangeOutcome['error']): Failure {
  if (error) return { message: error.message, ...(error.hint && { hint: error.hint }) };
  return { message: status === 'skipped' ? 'Skipped: the row has no key' : 'Not saved' };
}

function rowsOf(step: Step): string[] {
  if (step.kind === 'edit') return step.cells.map(({ row }) => row);
  if (step.kind === 'insert') return [step.row];
  return step.rows.map((row) => (typeof row === 'string' ? row : row.row));
}

function withoutRows(step: Step, gone: Set<string>): Step | null {
  if (step.kind === 'insert') return gone.has(step.row) ? null : step;
  if (step.kind === 'edit') {
    const cells = step.cells.filter(({ row }) => !gone.has(row));
    return cells.length > 0 ? { ...step, cells } : null;
  }
  if (step.kind === 'delete') {
    const rows = step.rows.filter(({ row }) => !gone.has(row));
    return rows.length > 0 ? { ...step, rows } : null;
  }
  const rows = step.rows.filter((row) => !gone.has(row));
  return rows.length > 0 ? { ...step, rows } : null;
}
