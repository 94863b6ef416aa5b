import {
  type AppError,
  type DataAccess,
  isAppError,
  joinOwn,
  type OwnText,
  own,
  ownAmount,
} from '@trestle/core';
import type { Change, ChangeOutcome, RowKey, SaveReport } from '@trestle/driver-kit';
import { dataAnswer, type ToolAnswer, theDatabase } from '../answer/answer.ts';
import { AnswerBudget } from '../answer/answer-budget.ts';
import { cellText, nameText } from '../answer/cell-text.ts';
import { codeOf, errorSentences, sentences } from '../errors.ts';
import { openConnection } from './connection-argument.ts';
import { toChanges, type WantedChanges } from './plain-changes.ts';
import type { ToolCall } from './tool.ts';

interface Target {
  connection_id: string;
  table: string;
  tenant?: string | undefined;
}

export async function applyRowChanges(
  call: ToolCall,
  target: Target,
  wanted: WantedChanges,
): Promise<ToolAnswer> {
  const { table, tenant } = target;
  const { access } = openConnection(call, target.connection_id);
  const changes = await readChanges(call, access, table, wanted);
  const changeSet = { table, ...(tenant !== undefined && { partition: tenant }), changes, exact: true };
  const saved = await save(call.core.data.applyChanges(access, changeSet), changes, call);
  const done = 'insert' in wanted ? own`inserted` : 'update' in wanted ? own`updated` : own`deleted`;
  return savedAnswer(saved, done);
}

async function readChanges(
  { core }: ToolCall,
  access: DataAccess,
  table: string,
  wanted: WantedChanges,
): Promise<Change[]> {
  const described = await core.data.describe(access, table);
  try {
    return toChanges(wanted, described);
  } catch (problem) {
    // A caller without write access gets the gate's refusal, not advice on its rows.
    await core.sessions.admit(access, 'applyChanges', 'write');
    throw problem;
  }
}

interface Saved {
  /** One outcome per change. */
  outcomes: ChangeOutcome[];
  /** The error that ended the save early. */
  ended: AppError | undefined;
}

/**
 * One outcome per change, also if an AppError ends the save early. Throws that error if no row was sent and none
 * has an outcome. Throws every other error.
 */
async function save(
  reports: AsyncIterable<SaveReport>,
  changes: Change[],
  { report, signal }: ToolCall,
): Promise<Saved> {
  const known = new Map<string, ChangeOutcome>();
  let ended: AppError | undefined;
  let sent = false;
  try {
    for await (const part of reports) {
      sent ||= part.sent.length > 0;
      for (const outcome of part.outcomes) known.set(outcome.id, outcome);
      report(own`${known.size} of ${changes.length} rows`);
    }
  } catch (error) {
    if (!isAppError(error) || (!sent && known.size === 0)) throw error;
    // After the deadline, the signal's reason is the timeout error, but the core reports only a cancelled call. After
    // a client's cancel, the reason may be a text of the client, which is not shown.
    ended = isAppError(signal.reason) ? signal.reason : error;
  }
  return { outcomes: changes.map(({ id }) => known.get(id) ?? notSent(id, ended)), ended };
}

function notSent(id: string, ended: AppError | undefined): ChangeOutcome {
  const reason = ended ? `Not sent: ${ended.message}` : 'Not sent';
  return { id, status: 'failed', error: { code: 'cancelled', message: reason } };
}

/**
 * The number of rows by status, the reasons for every status except `applied`, the warnings, and the new keys that are
 * or may be stored.
 */
function savedAnswer({ outcomes, ended }: Saved, done: OwnText): ToolAnswer {
  const counts = [...Map.groupBy(outcomes, ({ status }) => status)];
  const counted = joinOwn(
    counts.map(([status, all]) => own`${all.length} ${status === 'applied' ? done : statusWords[status]}`),
    own`, `,
  );
  // A row that is `unknown` may be stored.
  const isError = outcomes.every(({ status }) => status !== 'applied' && status !== 'unknown');
  const summary = isError ? own`${codeOf(outcomes.map(reasonCode))}: ${counted}` : counted;
  // Rows that are not applied come first. If their lines did not fit, a client could take these rows for saved.
  const lines = [
    ...unsavedLines(outcomes),
    ...conflictLines(outcomes),
    ...warningLines(outcomes),
    ...keyLines(outcomes),
  ];
  const shown = new AnswerBudget().takeAll(lines);
  const left = lines.length - shown.length;
  const notes = left > 0 ? [own`${ownAmount(left, own`more line`)} did not fit.`] : [];
  if (ended) notes.push(own`The call ended early: ${sentences(ended.said)}`);
  const text =
    shown.length === 0
      ? joinOwn([own`${summary}.`, ...notes], own` `)
      : own`${summary}. Rows count from 0. ${dataAnswer(theDatabase, shown, notes).text}`;
  return isError ? { text, isError } : { text };
}

function reasonCode({ status, error }: ChangeOutcome) {
  return status === 'skipped' ? 'invalid_argument' : (error?.code ?? 'conflict');
}

const statusWords: Record<Exclude<ChangeOutcome['status'], 'applied'>, OwnText> = {
  failed: own`failed`,
  skipped: own`skipped`,
  conflict: own`in conflict`,
  unknown: own`unknown`,
};

/** Each reason once, with all its rows: a thousand unsent rows take one line. */
function unsavedLines(outcomes: ChangeOutcome[]): string[] {
  const unsaved = outcomes.filter(({ status }) => status !== 'applied' && status !== 'conflict');
  const byReason = Map.groupBy(unsaved, ({ status, error }) => {
    const reason = error ? errorSentences(error).slice(0, maxReason).toWellFormed() : 'a key column is empty';
    return `${status}: ${reason}`;
  });
  return rowLines(byReason);
}

/** The present cells of each row in conflict. */
function conflictLines(outcomes: ChangeOutcome[]): string[] {
  const conflicts = outcomes.filter(({ status }) => status === 'conflict');
  return rowLines(
    Map.groupBy(conflicts, ({ theirs }) => {
      if (!theirs) return 'conflict: the row no longer exists';
      const cells = Object.entries(theirs).map(
        ([name, cell]) => `${nameText(name)} ${cellText(cell, 'any').slice(0, maxReason).toWellFormed()}`,
      );
      return `conflict: the row now has ${cells.join(', ')}`;
    }),
  );
}

function warningLines(outcomes: ChangeOutcome[]): string[] {
  const warned = outcomes.filter(({ warning }) => warning !== undefined);
  return rowLines(
    Map.groupBy(warned, ({ warning }) => `warning: ${warning!.slice(0, maxReason).toWellFormed()}`),
  );
}

function rowLines(byReason: Map<string, ChangeOutcome[]>): string[] {
  return Array.from(byReason, ([reason, rows]) => {
    const indexes = rows.map(({ id }) => Number(id));
    return `${indexes.length === 1 ? 'row' : 'rows'} ${rangesOf(indexes)} ${reason}`;
  });
}

function keyLines(outcomes: ChangeOutcome[]): string[] {
  return outcomes.flatMap(({ id, status, key }) => {
    if (!key || (status !== 'applied' && status !== 'unknown')) return [];
    return [`row ${id}${status === 'unknown' ? ' may be stored as' : ':'} ${keyText(key)}`];
  });
}

/** Ascending numbers as ranges: 0, 4-9, 12. */
function rangesOf(numbers: number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range && number === range[1] + 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}

/** A long reason of one row must not push the lines of other rows out of the answer. */
const maxReason = 300;

function keyText(key: RowKey): string {
  return Object.entries(key)
    .map(([name, cell]) => `${name} ${cellText(cell)}`)
    .join(', ');
}
