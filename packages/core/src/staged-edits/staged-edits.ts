import { type Cell, type Change, type ChangeSet, ownValue, type RowKey, sameCell } from '@trestle/driver-kit';
import { rowId } from './row-id.ts';
import { setOwnValue } from './set-own-value.ts';

/**
 * Unsaved edits, as the steps that made them. Undo removes steps, and the staged rows are computed from the rest.
 * Stored rows are identified by their key and new rows by an id of their own, so the steps survive paging,
 * sorting, filters and restarts.
 */
export interface StagedEdits {
  steps: Step[];
  undone: Step[];
  /** The error of each row's last save, by row. */
  failures: Record<string, Failure>;
  /**
   * New rows whose insert was sent and never answered. They are not sent again until the user says so. Undo
   * does not remove a row from this list.
   */
  unknown: string[];
  /** The running save, of this window or another one. */
  saving: RunningSave | null;
  /** The key of each new row that the last save stored, by the id that the row had before. */
  keys: Record<string, RowKey>;
  /** What the last save stored in each row and column, and the value that it expected there. */
  stored: Record<string, Record<string, { was: Cell; now: Cell }>>;
}

export interface RunningSave {
  id: string;
  /** How many rows the save sends. */
  total: number;
  /** When the save started, in milliseconds since 1970. */
  at: number;
  /** The steps that the save sends, as they were at its start, without the rows that have an outcome. */
  sent: Step[];
}

/**
 * The id names the same step in all windows, even if another window has added or removed steps. Steps of one
 * group are one action, such as a paste into old and new rows: undo removes all of them.
 */
export type Step = { id: string; group?: string } & (
  | { kind: 'edit'; cells: StagedCell[] }
  /**
   * `key`: a save sent the row with this key and may have stored it. The next save uses the same key, unless the user
   * types another key.
   */
  | { kind: 'insert'; row: string; values: Record<string, Cell>; key?: RowKey }
  | { kind: 'delete'; rows: StagedDelete[] }
  | { kind: 'restore'; rows: string[] }
);

export interface StagedDelete {
  row: string;
  key: RowKey | null;
  /** What the window showed of the row, long values brief. */
  seen?: Record<string, Cell>;
}

export interface StagedCell {
  row: string;
  /** Null for an inserted row. */
  key: RowKey | null;
  column: string;
  cell: Cell;
  /** The last known value in the database. Undefined for an inserted row, or if the value is not known. */
  from?: Cell;
  /** The user has seen `from` in a conflict and keeps the edit, so the save expects `from`, not an older value. */
  isAnswer?: true;
  /** Why the column does not accept the value. The cell blocks every save, unless its row is marked for deletion. */
  problem?: string;
}

export interface Failure {
  code?: string;
  message: string;
  hint?: string;
  /** Somebody else changed the row: its present values, or null if it is gone. */
  conflict?: { theirs: Record<string, Cell> | null };
}

/** Removes messages with the code `connection_failed`. A new row that may have been stored keeps its message. */
export function forgetConnectionFailures(edits: StagedEdits): StagedEdits {
  const unknown = new Set(edits.unknown);
  const isOver = ([row, { code }]: [string, Failure]) => code === 'connection_failed' && !unknown.has(row);
  const failures = Object.entries(edits.failures);
  const left = failures.filter((entry) => !isOver(entry));
  return left.length === failures.length ? edits : { ...edits, failures: Object.fromEntries(left) };
}

/** The result of all steps, by row. */
export interface StagedRows {
  updated: Map<string, { key: RowKey; values: Record<string, Cell> }>;
  inserted: Map<string, Record<string, Cell>>;
  /** The keys with which new rows were sent before. The database may have stored these rows. */
  sentAs: Map<string, RowKey>;
  deleted: Map<string, RowKey>;
  /**
   * The cells that the user saw: of a changed row, its edited cells before the first edit; of a deleted row, the cells
   * that were shown. A value that was not loaded is missing.
   */
  seen: { updated: Map<string, Record<string, Cell>>; deleted: Map<string, Record<string, Cell>> };
  /** Why cells do not fit, by row and column. */
  invalid: Map<string, Record<string, string>>;
}

export const noEdits: StagedEdits = {
  steps: [],
  undone: [],
  failures: {},
  unknown: [],
  saving: null,
  keys: {},
  stored: {},
};

/** Whether there is nothing to store. Undone steps count: a redo restores them. */
export function isEmpty({ steps, undone, saving }: StagedEdits): boolean {
  return steps.length === 0 && undone.length === 0 && saving === null;
}

/** Adds a step. Its rows lose the error of their last save. Redo is no longer possible. */
export function stage(edits: StagedEdits, step: Step): StagedEdits {
  return stageAll(edits, [step]);
}

/** Skips steps that the edits already have: a window that was frozen during a write may apply its last steps twice. */
export function stageAll(edits: StagedEdits, steps: Step[]): StagedEdits {
  const ids = new Set([...edits.steps, ...edits.undone].map(({ id }) => id));
  const added = steps.filter(({ id }) => !ids.has(id));
  if (added.length === 0) return edits;
  const known = added.map((step) => withStored(withKeys(step, edits.keys), edits.stored));
  const failures = { ...edits.failures };
  for (const step of known) for (const row of rowsOf(step)) delete failures[row];
  const all = [...edits.steps, ...known];
  const before = played.get(edits.steps);
  // Ten thousand earlier steps need not be played again for each further one.
  if (before) played.set(all, playSteps(known, copyOf(before, known)));
  return { ...edits, steps: all, undone: [], failures };
}

/**
 * Moves the step with this id, and its group, to the undone steps. It need not be the last step: another window may
 * have added a later step.
 */
export function undo(edits: StagedEdits, id: string): StagedEdits {
  const [taken, steps] = withGroup(edits.steps, id);
  return taken.length === 0 ? edits : { ...edits, steps, undone: [...edits.undone, ...taken] };
}

export function redo(edits: StagedEdits, id: string): StagedEdits {
  const [taken, undone] = withGroup(edits.undone, id);
  return taken.length === 0 ? edits : { ...edits, steps: [...edits.steps, ...taken], undone };
}

/** The step with its group, and the other steps. */
function withGroup(steps: Step[], id: string): [Step[], Step[]] {
  const step = steps.find((other) => other.id === id);
  if (!step) return [[], steps];
  const isMeant = (other: Step) => (step.group === undefined ? other === step : other.group === step.group);
  return [steps.filter(isMeant), steps.filter((other) => !isMeant(other))];
}

/**
 * Reverts the given steps. Redo can restore them. A new row that may be stored stays unknown. Otherwise, after a redo,
 * the next save would send it a second time.
 */
export function discardAll(edits: StagedEdits, ids: string[]): StagedEdits {
  return { ...ids.toReversed().reduce(undo, edits), failures: {} };
}

const played = new WeakMap<Step[], StagedRows>();

/**
 * Applies the steps. The result is cached for each list of steps: a paste may have ten thousand cells, and
 * several parts of the window need the result. A value that is edited back to the database's value is not an edit.
 */
export function stagedRows({ steps }: Pick<StagedEdits, 'steps'>): StagedRows {
  let rows = played.get(steps);
  if (!rows) {
    rows = playSteps(steps);
    played.set(steps, rows);
  }
  return rows;
}

function noRows(): StagedRows {
  return {
    updated: new Map(),
    inserted: new Map(),
    sentAs: new Map(),
    deleted: new Map(),
    seen: { updated: new Map(), deleted: new Map() },
    invalid: new Map(),
  };
}

/** A copy that these steps can be played into. Other parts of the code hold the rows of `before`. */
function copyOf(before: StagedRows, steps: Step[]): StagedRows {
  const rows: StagedRows = {
    updated: new Map(before.updated),
    inserted: new Map(before.inserted),
    sentAs: new Map(before.sentAs),
    deleted: new Map(before.deleted),
    seen: { updated: new Map(before.seen.updated), deleted: new Map(before.seen.deleted) },
    invalid: new Map(before.invalid),
  };
  for (const row of new Set(steps.flatMap(rowsOf))) {
    const updated = rows.updated.get(row);
    if (updated) rows.updated.set(row, { ...updated, values: { ...updated.values } });
    for (const values of [rows.inserted, rows.seen.updated, rows.invalid] as Map<string, object>[]) {
      const known = values.get(row);
      if (known) values.set(row, { ...known });
    }
  }
  return rows;
}

/** Plays the steps into `rows`. */
function playSteps(steps: Step[], rows = noRows()): StagedRows {
  for (const step of steps) {
    if (step.kind === 'insert') {
      rows.inserted.set(step.row, { ...step.values });
      if (step.key) rows.sentAs.set(step.row, step.key);
    }
    if (step.kind === 'restore') for (const row of step.rows) rows.deleted.delete(row);
    if (step.kind === 'delete') {
      for (const { row, key, seen = {} } of step.rows) {
        if (rows.inserted.delete(row)) rows.invalid.delete(row);
        else if (key) {
          rows.deleted.set(row, key);
          rows.seen.deleted.set(row, seen);
        }
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

/** How many cells do not fit their columns. A row marked for deletion sends no values, so its cells do not count. */
export function countInvalid({ invalid, deleted }: StagedRows): number {
  let count = 0;
  for (const [row, problems] of invalid) if (!deleted.has(row)) count += Object.keys(problems).length;
  return count;
}

/** Deletes first and inserts last, so that one save can free a key and use it again. */
export function changesOf({ updated, inserted, sentAs, deleted, seen }: StagedRows): Change[] {
  const changes: Change[] = [];
  for (const [id, key] of deleted) {
    changes.push({ kind: 'delete', id, key, expected: seen.deleted.get(id) ?? {} });
  }
  for (const [id, { key, values }] of updated) {
    const expected = seen.updated.get(id) ?? {};
    if (!deleted.has(id)) changes.push({ kind: 'update', id, key, values, expected });
  }
  for (const [id, values] of inserted) {
    const key = sentAs.get(id);
    changes.push({ kind: 'insert', id, values, ...(key && { key }) });
  }
  return changes;
}

/** Whether two lists of changes are equal. A change has only cells and objects of cells. */
export function sameChanges(one: Change[], other: Change[]): boolean {
  return sameCell(one as unknown as Cell, other as unknown as Cell);
}

/** The changes that a save would send now. */
export function changeSet(table: string, partition: string | undefined, edits: StagedEdits): ChangeSet {
  const unknown = new Set(edits.unknown);
  const changes = changesOf(stagedRows(edits)).filter(({ id }) => !unknown.has(id));
  return { table, ...(partition !== undefined && { partition }), changes };
}

/** Removes every edit of the given rows, and drops all undone steps. Undo and redo cannot restore them. */
export function discardRows(edits: StagedEdits, rows: string[]): StagedEdits {
  const gone = new Set(rows);
  const failures = Object.fromEntries(Object.entries(edits.failures).filter(([row]) => !gone.has(row)));
  return {
    ...edits,
    steps: edits.steps.flatMap((step) => selectRows(step, (row) => !gone.has(row)) ?? []),
    undone: [],
    failures,
    unknown: edits.unknown.filter((row) => !gone.has(row)),
  };
}

/**
 * Removes the edits of one cell from all steps. Undo cannot restore these edits. If the old value is known, stage the
 * old value instead: undo can remove that step.
 */
export function discardCell(edits: StagedEdits, row: string, column: string): StagedEdits {
  const steps = edits.steps.flatMap((step): Step[] => {
    if (step.kind !== 'edit') return [step];
    const cells = step.cells.filter((cell) => cell.row !== row || cell.column !== column);
    if (cells.length === step.cells.length) return [step];
    return cells.length > 0 ? [{ ...step, cells }] : [];
  });
  return { ...edits, steps, undone: [] };
}

/** The part of a step about some rows; null if there is none. */
export function selectRows(step: Step, isMeant: (row: string) => boolean): Step | null {
  if (step.kind === 'insert') return isMeant(step.row) ? step : null;
  if (step.kind === 'edit') {
    const cells = step.cells.filter(({ row }) => isMeant(row));
    return cells.length === step.cells.length ? step : cells.length > 0 ? { ...step, cells } : null;
  }
  if (step.kind === 'delete') {
    const rows = step.rows.filter(({ row }) => isMeant(row));
    return rows.length === step.rows.length ? step : rows.length > 0 ? { ...step, rows } : null;
  }
  const rows = step.rows.filter(isMeant);
  return rows.length === step.rows.length ? step : rows.length > 0 ? { ...step, rows } : null;
}

function editCell(rows: StagedRows, edit: StagedCell): void {
  const { row, key, column, cell, from, isAnswer, problem } = edit;
  const inserted = rows.inserted.get(row);
  if (!inserted && !key) return;
  markInvalid(rows.invalid, row, column, problem);
  if (inserted) setOwnValue(inserted, column, cell);
  else if (key) {
    const known = rows.updated.get(row);
    const values = known?.values ?? {};
    const seen = (known && rows.seen.updated.get(row)) ?? {};
    if (!known) {
      rows.updated.set(row, { key, values });
      rows.seen.updated.set(row, seen);
    }
    if (problem === undefined && from !== undefined && sameCell(cell, from)) {
      delete values[column];
      delete seen[column];
    } else {
      // Between two edits the page may be read again. The user edits the value that was there before the first edit.
      if (from !== undefined && (isAnswer || !Object.hasOwn(values, column))) setOwnValue(seen, column, from);
      setOwnValue(values, column, cell);
    }
    if (hasNone(values)) rows.updated.delete(row);
  }
}

function markInvalid(
  invalid: StagedRows['invalid'],
  row: string,
  column: string,
  problem: string | undefined,
): void {
  const known = invalid.get(row);
  if (problem !== undefined) {
    if (known) setOwnValue(known, column, problem);
    else invalid.set(row, { [column]: problem });
  } else if (known) {
    delete known[column];
    if (hasNone(known)) invalid.delete(row);
  }
}

function hasNone(record: Record<string, unknown>): boolean {
  for (const _ in record) return false;
  return true;
}

export function rowsOf(step: Step): string[] {
  if (step.kind === 'edit') return step.cells.map(({ row }) => row);
  if (step.kind === 'insert') return [step.row];
  return step.rows.map((row) => (typeof row === 'string' ? row : row.row));
}

/** If a save has stored a new row meanwhile, a step on that row must use the key under which the row is stored. */
function withKeys(step: Step, keys: Record<string, RowKey>): Step {
  const known = (row: string) => ownValue(keys, row);
  const rename = <T extends { row: string; key: RowKey | null }>(entry: T): T => {
    const key = known(entry.row);
    return key ? { ...entry, row: rowId(key), key } : entry;
  };
  if (step.kind === 'edit') return { ...step, cells: step.cells.map(rename) };
  if (step.kind === 'delete') return { ...step, rows: step.rows.map(rename) };
  return step;
}

/**
 * A window that has not heard of the end of a save yet makes a step from the value before the save. The step is meant
 * for the value that the save stored; otherwise the next save would find a conflict with its own user.
 */
function withStored(step: Step, stored: StagedEdits['stored']): Step {
  if (step.kind !== 'edit') return step;
  const cells = step.cells.map((cell) => {
    const values = ownValue(stored, cell.row);
    const value = values && ownValue(values, cell.column);
    const isOlder = value && cell.from !== undefined && !cell.isAnswer && sameCell(cell.from, value.was);
    return isOlder ? { ...cell, from: value.now } : cell;
  });
  return cells.some((cell, at) => cell !== step.cells[at]) ? { ...step, cells } : step;
}
