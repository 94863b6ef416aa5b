import {
  type Cell,
  type Change,
  type ChangeOutcome,
  ownValue,
  type RowKey,
  sameCell,
} from '@trestle/driver-kit';
import { rowId } from './row-id.ts';
import { setOwnValue } from './set-own-value.ts';
import {
  changesOf,
  type Failure,
  type RunningSave,
  rowsOf,
  type StagedCell,
  type StagedEdits,
  type Step,
  selectRows,
  stagedRows,
} from './staged-edits.ts';

/** Starts a save of the given rows. If a save is already running, nothing happens. */
export function beginSave(edits: StagedEdits, id: string, rows: string[], at = Date.now()): StagedEdits {
  if (edits.saving) return edits;
  const meant = new Set(rows);
  const sent = stepsOf(edits.steps, rows);
  const failures = Object.fromEntries(Object.entries(edits.failures).filter(([row]) => !meant.has(row)));
  const unknown = edits.unknown.filter((row) => !meant.has(row));
  const total = changesSent({ sent }).size;
  return { ...edits, failures, unknown, keys: {}, stored: {}, saving: { id, total, at, sent } };
}

/** The parts of the steps that are about these rows. */
export function stepsOf(steps: Step[], rows: string[]): Step[] {
  const meant = new Set(rows);
  return steps.flatMap((step) => selectRows(step, (row) => meant.has(row)) ?? []);
}

/** The save has ended. Rows without an outcome stay staged. */
export function endSave(edits: StagedEdits, id: string): StagedEdits {
  return edits.saving?.id === id ? { ...edits, saving: null } : edits;
}

/**
 * Applies the outcomes of a save to the staged edits. The same outcome changes nothing the second time. For an applied
 * row, the sent edits are removed. Edits made since the save began stay, and start from the saved values. Edits undone
 * since then become a new edit back to the old value, or the deletion of a new row. So the user sees the same rows
 * before and after. Exceptions: a deletion undone too late, an undone edit of a cell whose old value is unknown,
 * changes to a new row whose key is unknown.
 */
export function settle(edits: StagedEdits, saveId: string, outcomes: ChangeOutcome[]): StagedEdits {
  const { saving } = edits;
  if (saving?.id !== saveId) return edits;
  const changes = changesSent(saving);
  const failures = { ...edits.failures };
  const unknown = new Set(edits.unknown);
  const keys = { ...edits.keys };
  const stored = { ...edits.stored };
  const isNoted = saving.total <= mostNoted.rows;
  const applied = new Map<string, Applied>();
  const settled = new Set<string>();
  const sentAs = new Map<string, RowKey>();
  const steps = stepsByRow(saving.sent, new Set(outcomes.map(({ id }) => id)));
  for (const outcome of outcomes) {
    const { id, status, key } = outcome;
    const change = changes.get(id);
    if (!change) continue;
    settled.add(id);
    if (status === 'applied') {
      applied.set(id, appliedRow(change, steps.get(id) ?? new Set(), key));
      if (change.kind === 'insert' && key) keys[id] = key;
      if (isNoted) noteStored(stored, change);
    } else {
      failures[id] = failureOf(outcome, change);
      const part = storedPart(change, outcome);
      if (part) {
        applied.set(id, { ...appliedRow(part, steps.get(id) ?? new Set(), undefined), isPart: true });
        if (isNoted) noteStored(stored, part);
      }
      if (status === 'unknown' && change.kind === 'insert') unknown.add(id);
      if (change.kind === 'insert' && key) sentAs.set(id, key);
    }
  }
  if (settled.size === 0) return edits;
  const sent = saving.sent.flatMap((step) => selectRows(step, (row) => !settled.has(row)) ?? []);
  const named = withSentKeys(edits, sentAs);
  const next = { ...named, failures, unknown: [...unknown], keys, stored, saving: { ...saving, sent } };
  return applied.size > 0 ? withApplied(next, saving, applied) : next;
}

/**
 * A new row that is still staged keeps the key with which it was sent. With another key, the next save could store it
 * twice. A key that the user typed does not change.
 */
function withSentKeys(edits: StagedEdits, sentAs: Map<string, RowKey>): StagedEdits {
  if (sentAs.size === 0) return edits;
  const name = (step: Step): Step => {
    const key = step.kind === 'insert' ? sentAs.get(step.row) : undefined;
    if (step.kind !== 'insert' || !key) return step;
    const isTyped = ([, cell]: [string, Cell]) => cell !== null && cell !== '';
    const typed = Object.fromEntries(Object.entries(step.values).filter(isTyped));
    return { ...step, key, values: { ...step.values, ...key, ...typed } };
  };
  return { ...edits, steps: edits.steps.map(name), undone: edits.undone.map(name) };
}

/**
 * Applies the result of a later check of new rows that may have been stored. A stored row is no longer staged. A row
 * that is not stored can be saved again. A row without a result stays unknown. It keeps its message unless there is a
 * newer one. `sent`: the steps of these rows when the check began. Like a save, the check says nothing about edits made
 * since then.
 */
export function settleLooked(
  edits: StagedEdits,
  { sent, outcomes }: { sent: Step[]; outcomes: ChangeOutcome[] },
): StagedEdits {
  const looked = outcomes.filter(
    ({ id: row, status, error }) => (status !== 'unknown' || error) && edits.unknown.includes(row),
  );
  if (looked.length === 0 || edits.saving) return edits;
  const rows = looked.map((one) => one.id);
  const id = 'check';
  const begun = beginSave(edits, id, rows);
  const saving = { id, total: rows.length, at: 0, sent: stepsOf(sent, rows) };
  return endSave(settle({ ...begun, keys: edits.keys, stored: edits.stored, saving }, id, looked), id);
}

/** How many rows were deleted although the user had reverted the deletion meanwhile. */
export function deletedTooLate(edits: StagedEdits, saveId: string, outcomes: ChangeOutcome[]): number {
  if (edits.saving?.id !== saveId) return 0;
  const changes = changesSent(edits.saving);
  const { deleted } = stagedRows(edits);
  return outcomes.filter(
    ({ id, status }) => status === 'applied' && changes.get(id)?.kind === 'delete' && !deleted.has(id),
  ).length;
}

interface Applied {
  change: Change;
  /** The ids of the sent steps that change this row. */
  steps: Set<string>;
  /** The current id and key of the row; null if the key is unknown. */
  now: { row: string; key: RowKey } | null;
  /** Only the columns of `change` were stored. The other cells of the row stay staged. */
  isPart?: true;
}

/** The part of an update that the database stored before the rest of it failed. */
function storedPart(change: Change, { stored = [] }: ChangeOutcome): Change | null {
  if (change.kind !== 'update' || stored.length === 0) return null;
  const values = Object.entries(change.values).filter(([column]) => stored.includes(column));
  return { ...change, values: Object.fromEntries(values) };
}

/** Every window reads what is noted, so a large save and long values are left out: their next save may ask once more. */
const mostNoted = { rows: 1_000, characters: 1_000 };

function noteStored(stored: StagedEdits['stored'], change: Change): void {
  if (change.kind !== 'update') return;
  const { expected = {}, values } = change;
  const known = Object.entries(values).flatMap(([column, now]) => {
    const was = ownValue(expected, column);
    return was === undefined || !isBrief(was) || !isBrief(now) ? [] : [[column, { was, now }] as const];
  });
  if (known.length > 0) setOwnValue(stored, change.id, Object.fromEntries(known));
}

function isBrief(cell: Cell): boolean {
  return typeof cell === 'string'
    ? cell.length <= mostNoted.characters
    : cell === null || typeof cell !== 'object';
}

/** Whether the outcome of the row says nothing about this cell. */
function isOpen({ change, isPart }: Applied, column: string): boolean {
  return isPart === true && change.kind !== 'delete' && !Object.hasOwn(change.values, column);
}

/** The ids of the sent steps by row, in one pass: a save may have a hundred thousand cells. */
function stepsByRow(sent: Step[], wanted: Set<string>): Map<string, Set<string>> {
  const steps = new Map<string, Set<string>>();
  for (const step of sent) {
    for (const row of rowsOf(step)) {
      if (!wanted.has(row)) continue;
      const ids = steps.get(row) ?? new Set();
      steps.set(row, ids.add(step.id));
    }
  }
  return steps;
}

function appliedRow(change: Change, steps: Set<string>, given: RowKey | undefined): Applied {
  const key = given ?? (change.kind === 'insert' ? null : change.key);
  return { change, steps, now: key && { row: rowId(key), key } };
}

function withApplied(edits: StagedEdits, saving: RunningSave, applied: Map<string, Applied>): StagedEdits {
  const rebase = (step: Step) => rebased(step, applied) ?? [];
  const sent = new Set(saving.sent.map(({ id }) => id));
  // The steps back to old values come before the edits made since the save started.
  const at = edits.steps.findLastIndex(({ id }) => sent.has(id)) + 1;
  return {
    ...edits,
    steps: [
      ...edits.steps.slice(0, at).flatMap(rebase),
      ...stepsBack(edits, saving, applied),
      ...edits.steps.slice(at).flatMap(rebase),
    ],
    undone: edits.undone.flatMap(rebase),
  };
}

/** A step without the parts that were applied. The rest refers to the current values of the database. */
function rebased(step: Step, applied: Map<string, Applied>): Step | null {
  const others = selectRows(step, (row) => !applied.has(row));
  if (others === step) return step;
  const isWhole = (row: string) => applied.has(row) && !applied.get(row)?.isPart;
  const later = (row: string) => {
    const entry = applied.get(row);
    return entry && !entry.steps.has(step.id) && entry.change.kind !== 'delete' ? entry.now : null;
  };
  if (step.kind === 'edit') {
    const cells = step.cells.flatMap((cell): StagedCell[] => {
      const entry = applied.get(cell.row);
      if (!entry || isOpen(entry, cell.column)) return [cell];
      const now = later(cell.row);
      return now ? [{ ...cell, ...now, ...valueNow(entry.change, cell.column) }] : [];
    });
    return cells.length > 0 ? { ...step, cells } : null;
  }
  if (step.kind === 'delete') {
    const rows = step.rows.flatMap((one) => (isWhole(one.row) ? (later(one.row) ?? []) : [one]));
    return rows.length > 0 ? { ...step, rows } : null;
  }
  if (step.kind === 'restore') {
    const rows = step.rows.flatMap((row) => (isWhole(row) ? (later(row)?.row ?? []) : [row]));
    return rows.length > 0 ? { ...step, rows } : null;
  }
  return others;
}

function valueNow(change: Change, column: string): { from?: Cell } {
  if (change.kind === 'delete' || !Object.hasOwn(change.values, column)) return {};
  return { from: change.values[column] };
}

/** If the user undid sent steps during the save: the steps that undo them in the database too. */
function stepsBack({ steps }: StagedEdits, saving: RunningSave, applied: Map<string, Applied>): Step[] {
  const there = new Set(steps.map(({ id }) => id));
  const rows: { row: string; key: RowKey }[] = [];
  const cells: StagedCell[] = [];
  for (const entry of applied.values()) {
    const { change, steps: sent, now } = entry;
    // A deleted row cannot be restored: not all of its values are known.
    if (!now || change.kind === 'delete' || [...sent].every((id) => there.has(id))) continue;
    const still = steps.filter(({ id }) => sent.has(id));
    const wanted = stagedRows({ steps: still.flatMap((step) => onlyRow(step, change.id) ?? []) });
    const inserted = wanted.inserted.get(change.id);
    if (change.kind === 'insert' && !inserted) rows.push(now);
    else {
      const back = cellsBack(saving, change, inserted ?? wanted.updated.get(change.id)?.values ?? {}, now);
      cells.push(...back.filter(({ column }) => !isOpen(entry, column)));
    }
  }
  const id = `back ${saving.id} ${[...applied.keys()][0]}`;
  return [
    ...(cells.length > 0 ? [{ id, kind: 'edit' as const, cells }] : []),
    ...(rows.length > 0 ? [{ id: `${id} rows`, kind: 'delete' as const, rows }] : []),
  ];
}

function cellsBack(
  saving: RunningSave,
  change: Exclude<Change, { kind: 'delete' }>,
  wanted: Record<string, Cell>,
  now: { row: string; key: RowKey },
): StagedCell[] {
  const columns = new Set([...Object.keys(change.values), ...Object.keys(wanted)]);
  return [...columns].flatMap((column): StagedCell[] => {
    const before = change.kind === 'insert' ? null : valueBefore(saving, change.id, column);
    const stored = Object.hasOwn(change.values, column) ? change.values[column] : before;
    const cell = Object.hasOwn(wanted, column) ? wanted[column] : before;
    if (cell === undefined || (stored !== undefined && sameCell(cell, stored))) return [];
    return [{ ...now, column, cell, ...(stored !== undefined && { from: stored }) }];
  });
}

function valueBefore({ sent }: RunningSave, row: string, column: string): Cell | undefined {
  for (const step of sent) {
    if (step.kind !== 'edit') continue;
    const found = step.cells.find((cell) => cell.row === row && cell.column === column);
    if (found) return found.from;
  }
  return undefined;
}

function onlyRow(step: Step, row: string): Step | null {
  return selectRows(step, (name) => name === row);
}

const known = new WeakMap<Step[], Map<string, Change>>();

/** The changes of a save that have no outcome yet. */
export function changesSent({ sent }: Pick<RunningSave, 'sent'>): Map<string, Change> {
  let changes = known.get(sent);
  if (!changes) {
    changes = new Map(changesOf(stagedRows({ steps: sent })).map((change) => [change.id, change]));
    known.set(sent, changes);
  }
  return changes;
}

function failureOf({ status, error, theirs }: ChangeOutcome, change: Change): Failure {
  if (status === 'conflict' && theirs !== undefined) {
    const verb = theirs === null ? 'deleted' : 'changed';
    const mine = change.kind === 'delete' ? 'deletion' : 'edit';
    return {
      code: 'conflict',
      message: `Somebody else ${verb} this row. Your ${mine} is not saved`,
      conflict: { theirs },
    };
  }
  if (error) return { code: error.code, message: error.message, ...(error.hint && { hint: error.hint }) };
  if (status === 'unknown')
    return { message: 'No answer arrived: the change may have been saved', hint: 'Reload to see the row.' };
  return { message: status === 'skipped' ? 'Skipped: the row has no key' : 'Not saved' };
}
