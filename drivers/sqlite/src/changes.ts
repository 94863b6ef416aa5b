import {
  assertBudget,
  assertReach,
  type Change,
  type ChangeOutcome,
  type ChangePreview,
  type ChangeSet,
  DriverError,
  type DriverLogEntry,
  driverErrorDetails,
  isDriverError,
  type SaveReport,
  type SaveRequest,
  type Written,
} from '@trestle/driver-kit';
import { applyChange } from './apply-change.ts';
import { assertNoGuess } from './assert-unguarded.ts';
import { changeStatement } from './change-statements.ts';
import { conflictOf } from './conflict.ts';
import { danglingChanges } from './dangling-changes.ts';
import { isBrokenReference, throwIfAborted, translateError } from './errors.ts';
import type { Handle } from './handle.ts';
import { isCompleteKey } from './key.ts';
import { ReachCounter } from './reach.ts';
import { savePlan } from './reach-plan.ts';
import { requireTable } from './schema.ts';
import { toReadableText } from './sql.ts';
import type { Table } from './table.ts';

/**
 * Applies the changes in one transaction, each in a savepoint. If one change fails, the others can still commit. If the
 * commit fails, no change is saved. From time to time the generator yields an empty report, so that a cancel can
 * arrive. A cancel rolls everything back.
 */
export function* saveChanges(
  handle: Handle,
  set: ChangeSet & Limited,
  { log, signal, begin, attempt = attemptOne }: Saving,
): Generator<SaveReport> {
  const table = requireTable(handle, set.table);
  const failed = new Map<Change, ChangeOutcome>();
  const reported = new Set<string>();
  for (;;) {
    const end = yield* attemptAll(handle, table, set, { failed, reported, signal, begin, attempt });
    if (end.kind === 'done') {
      for (const change of set.changes) {
        if (isSkipped(change)) {
          log({
            level: 'warn',
            message: `Skipped the ${change.kind} of a row in ${table.description.name}: the row has no key`,
          });
        }
      }
      yield { sent: [], outcomes: end.outcomes, ...(end.written && { written: end.written }) };
      return;
    }
    // RAISE(ROLLBACK) or a failed commit undoes the other rows too. Leave out the rows at fault and apply the others
    // again.
    for (const [change, outcome] of end.culprits) failed.set(change, outcome);
    yield { sent: [], outcomes: [] };
  }
}

type Limited = Pick<SaveRequest, 'changes' | 'exact' | 'reach' | 'budget' | 'guarded' | 'maskedKinds'>;

interface Saving {
  log: (entry: DriverLogEntry) => void;
  signal: AbortSignal;
  /** Begins the transaction of the save. Returns the mark of its data: see `DatabaseFile.begin`. */
  begin: () => string | null;
  attempt?: Attempter;
}

type Attempter = (handle: Handle, table: Table, change: Change, exact: boolean) => ChangeOutcome;

export function previewChanges(handle: Handle, set: ChangeSet): ChangePreview[] {
  const table = requireTable(handle, set.table);
  return set.changes.map((change) => {
    if (isSkipped(change)) return { id: change.id, text: '-- Skipped: the row has no key' };
    try {
      assertWritable(table, change);
      return { id: change.id, text: `${toReadableText(changeStatement(table, change))};` };
    } catch (error) {
      return { id: change.id, text: `-- Refused: ${translateError(error).message.replace(/\s+/g, ' ')}` };
    }
  });
}

type Attempt =
  | { kind: 'done'; outcomes: ChangeOutcome[]; written?: Written }
  | { kind: 'undone'; culprits: Map<Change, ChangeOutcome> };

function* attemptAll(
  handle: Handle,
  table: Table,
  { changes, exact = false, reach, budget, ...masked }: Limited,
  {
    failed,
    reported,
    signal,
    begin,
    attempt,
  }: Required<Pick<Saving, 'signal' | 'begin' | 'attempt'>> & {
    failed: Map<Change, ChangeOutcome>;
    /** The changes that were reported as sent, also by an earlier attempt. */
    reported: Set<string>;
  },
): Generator<SaveReport, Attempt> {
  const { db } = handle;
  throwIfAborted(signal);
  const mark = begin();
  try {
    // From now on, no other program can change the schema or the data.
    assertNoGuess(handle, table, changes, { ...masked, mark });
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
  const outcomes: ChangeOutcome[] = [];
  try {
    const kinds = changes.map(({ kind }) => kind);
    const counter = reach === undefined ? null : new ReachCounter(handle, savePlan(handle, table, kinds));
    let sliceEnd = performance.now() + sliceMs;
    for (const change of changes) {
      const outcome = failed.get(change) ?? attempt(handle, table, change, exact);
      // Without room, each further row would fail too. So none is saved, and every row gets this reason.
      if (outcome.error?.code === 'disk_full') throw new DriverError(outcome.error);
      if (!db.isTransaction) return { kind: 'undone', culprits: new Map([[change, outcome]]) };
      outcomes.push(outcome);
      if (performance.now() < sliceEnd) continue;
      yield { sent: [], outcomes: [] };
      throwIfAborted(signal);
      sliceEnd = performance.now() + sliceMs;
    }
    const written = counter && writtenWithin(counter, applied(outcomes, changes), { reach, budget });
    const sent = outcomes.filter(({ id, status }) => status === 'applied' && !reported.has(id));
    for (const { id } of sent) reported.add(id);
    yield { sent: sent.map(({ id }) => id), outcomes: [] };
    throwIfAborted(signal);
    db.exec('COMMIT');
    return { kind: 'done', outcomes, ...(written && { written }) };
  } catch (error) {
    if (signal.aborted || (isDriverError(error) && limitCodes.has(error.code))) throw error;
    const dangling =
      db.isTransaction && isBrokenReference(error) ? danglingChanges(handle, table, changes, outcomes) : [];
    if (dangling.length > 0) {
      const details = driverErrorDetails(translateError(error));
      return {
        kind: 'undone',
        culprits: new Map(
          dangling.map((change) => [change, { id: change.id, status: 'failed', error: details }]),
        ),
      };
    }
    const reason = driverErrorDetails(translateError(error));
    // An import sends one batch after the other, and reports the hint once for all of them.
    const details =
      reason.code === 'disk_full' ? reason : { ...reason, hint: 'None of the changes was saved.' };
    return {
      kind: 'done',
      outcomes: changes.map(
        (change) =>
          failed.get(change) ??
          (isSkipped(change) ? skipped(change) : { id: change.id, status: 'failed', error: details }),
      ),
    };
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}

const limitCodes = new Set<string>(['above_ceiling', 'over_budget']);

/** Throws if the save is beyond its limits. `changes`: see `ReachCounter.loss`. */
function writtenWithin(
  counter: ReachCounter,
  changes: number,
  limits: Pick<SaveRequest, 'reach' | 'budget'>,
): Written {
  const loss = counter.loss(changes);
  assertReach(loss, limits);
  const written = counter.written(loss);
  assertBudget(written, limits);
  return written;
}

function applied(outcomes: ChangeOutcome[], changes: Change[]): number {
  return outcomes.filter(({ status }, index) => status === 'applied' && changes[index]!.kind !== 'insert')
    .length;
}

/** How long the save writes rows before a cancel can arrive. */
const sliceMs = 50;

export function attemptOne(handle: Handle, table: Table, change: Change, exact: boolean): ChangeOutcome {
  if (isSkipped(change)) return skipped(change);
  const { db } = handle;
  db.exec('SAVEPOINT change');
  try {
    assertWritable(table, change);
    const conflict = conflictOf(handle, table, change);
    const key = conflict ? undefined : applyChange(handle, table, change, exact);
    db.exec('RELEASE change');
    return conflict ?? { id: change.id, status: 'applied', ...(key && { key }) };
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK TO change; RELEASE change');
    return { id: change.id, status: 'failed', error: driverErrorDetails(translateError(error)) };
  }
}

function assertWritable(table: Table, change: Change): void {
  const { name, readOnly } = table.description;
  const reason = readOnly?.[change.kind];
  if (reason === undefined) return;
  // A table without a key accepts new rows, so it is not called read only.
  const message =
    readOnly?.insert === undefined
      ? `Trestle can only add rows to ${name}. ${reason}`
      : `${name} is read only. ${reason}`;
  throw new DriverError({ code: 'unsupported', message });
}

function isSkipped(change: Change): boolean {
  return change.kind !== 'insert' && !isCompleteKey(change.key);
}

function skipped(change: Change): ChangeOutcome {
  return { id: change.id, status: 'skipped' };
}
