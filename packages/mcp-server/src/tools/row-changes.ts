import { AppError, isAppError } from '@trestle/core';
import type {
  Cell,
  Change,
  ChangeOutcome,
  ColumnDescription,
  Json,
  RowKey,
  SaveReport,
} from '@trestle/driver-kit';
import { cellToJson, parseCell } from '@trestle/driver-kit';
import { z } from 'zod';
import { AnswerBudget, dataAnswer } from '../answer.ts';
import { sentences } from '../errors.ts';
import { connectionOutput, findConnection } from './connection-argument.ts';
import type { ToolCall } from './tool.ts';

/** At most this many rows in one call: each is a request or statement of its own. */
export const maxChanges = 1_000;

export const keyArgument = z
  .record(z.string(), z.unknown())
  .describe('The values of the key columns, by name, as browse_table gives them');

export const valuesArgument = z
  .record(z.string(), z.unknown())
  .describe('Values by column name. Bytes as base64, large integers as text');

export const changesOutput = {
  connection: connectionOutput,
  table: z.string(),
  applied: z.number(),
  failed: z.number(),
  outcomes: z
    .array(
      z.object({
        index: z.number().describe('Of the row in the call, from 0'),
        status: z.enum(['applied', 'failed', 'skipped', 'unknown']),
        key: z.record(z.string(), z.unknown()).optional(),
        error: z.string().optional(),
      }),
    )
    .describe('Every row that was not applied, and the keys of the others as far as they fit'),
  notes: z.array(z.string()),
};

/** A change as a client sends it: plain JSON, which the types of the columns make into cells. */
export type PlainChange =
  | { kind: 'insert'; values: Record<string, unknown> }
  | { kind: 'update'; key: Record<string, unknown>; values: Record<string, unknown> }
  | { kind: 'delete'; key: Record<string, unknown> };

interface Target {
  connection_id: string;
  table: string;
  tenant?: string | undefined;
}

export async function applyRowChanges(target: Target, plain: PlainChange[], call: ToolCall) {
  const { core, caller, accessTo } = call;
  const { table } = target;
  const connection = findConnection(core, caller, target.connection_id);
  const access = accessTo(connection.id);
  const described = await core.data.describe(access, table);
  const columns = new Map(described.columns.map((column) => [column.name, column]));
  const changeSet = (changes: Change[]) => ({
    table,
    ...(target.tenant !== undefined && { partition: target.tenant }),
    changes,
  });
  let changes: Change[];
  try {
    changes = plain.map((change, index) => toChange(change, index, columns));
  } catch (problem) {
    // A caller that may not write is told that, not how to correct the rows.
    await core.sessions.admit(access, 'applyChanges', 'write');
    throw problem;
  }
  const { outcomes, ended } = await save(core.data.applyChanges(access, changeSet(changes)), changes, call);
  const { shown, notes } = fitting(outcomes.map(presentOutcome));
  const applied = outcomes.filter(({ status }) => status === 'applied').length;
  return dataAnswer(
    {
      connection,
      table,
      applied,
      failed: outcomes.length - applied,
      outcomes: shown,
      notes: [...(ended ? [`The call ended early: ${sentences(ended)}`] : []), ...notes],
    },
    `the database "${connection.name}"`,
  );
}

/** One outcome for each change, whatever ended the save. Throws the error of a save that sent nothing. */
async function save(reports: AsyncIterable<SaveReport>, changes: Change[], { report }: ToolCall) {
  const known = new Map<string, ChangeOutcome>();
  let ended: AppError | undefined;
  let sent = false;
  try {
    for await (const part of reports) {
      sent ||= part.sent.length > 0;
      for (const outcome of part.outcomes) known.set(outcome.id, outcome);
      report(`${known.size} of ${changes.length} rows`);
    }
  } catch (error) {
    if (!isAppError(error) || (!sent && known.size === 0)) throw error;
    ended = error;
  }
  const outcomes = changes.map(({ id }) => known.get(id) ?? notSent(id, ended));
  return { outcomes, ended };
}

function notSent(id: string, ended: AppError | undefined): ChangeOutcome {
  const reason = ended ? `Not sent: ${ended.message}` : 'Not sent';
  return { id, status: 'failed', error: { code: 'cancelled', message: reason } };
}

type PlainOutcome = ReturnType<typeof presentOutcome>;

/** The rows that were not applied come first into the answer: a client that does not see them takes them for done. */
function fitting(outcomes: PlainOutcome[]): { shown: PlainOutcome[]; notes: string[] } {
  const budget = new AnswerBudget();
  const isApplied = ({ status }: PlainOutcome) => status === 'applied';
  const troubled = budget.takeAll(outcomes.filter((one) => !isApplied(one)));
  const keyed = budget.takeAll(outcomes.filter(isApplied));
  const shown = [...troubled, ...keyed].sort((a, b) => a.index - b.index);
  const left = outcomes.length - shown.length;
  return { shown, notes: left > 0 ? [`The outcomes of ${left} more rows did not fit.`] : [] };
}

type Columns = Map<string, ColumnDescription>;

function toChange(change: PlainChange, index: number, columns: Columns): Change {
  const id = String(index);
  const where = (part: string) => `${change.kind === 'insert' ? 'rows' : part}[${index}]`;
  if (change.kind === 'insert') {
    return { kind: 'insert', id, values: toCells(change.values, columns, where('rows')) };
  }
  const key = toKey(change.key, columns, where(change.kind === 'update' ? 'changes' : 'keys'));
  if (change.kind === 'delete') return { kind: 'delete', id, key };
  return { kind: 'update', id, key, values: toCells(change.values, columns, where('changes')) };
}

/** Null where a value is missing: the driver skips such a row and logs it, and saves the others. */
function toKey(key: Record<string, unknown>, columns: Columns, where: string): RowKey | null {
  const cells = toCells(key, columns, where);
  const keyColumns = [...columns.values()].filter((column) => column.inKey).map((column) => column.name);
  if (keyColumns.length > 0 && Object.keys(cells).every((name) => keyColumns.includes(name))) {
    return keyColumns.every((name) => cells[name] !== undefined && cells[name] !== null) ? cells : null;
  }
  throw new AppError({
    code: 'invalid_argument',
    message:
      keyColumns.length > 0
        ? `${where}: a row is named by exactly ${keyColumns.join(', ')}`
        : `${where}: the rows of this table cannot be told apart`,
    hint: 'browse_table gives the key of each row.',
  });
}

function toCells(values: Record<string, unknown>, columns: Columns, where: string): Record<string, Cell> {
  const entries = Object.entries(values).map(([name, value]) => {
    const column = columns.get(name);
    if (!column) {
      throw new AppError({
        code: 'invalid_argument',
        message: `${where}: there is no column "${name}"`,
        hint: `The columns are ${[...columns.keys()].join(', ')}.`,
      });
    }
    return [name, toCell(value, column, where)] as const;
  });
  return Object.fromEntries(entries);
}

/** JSON has neither bytes nor large integers: both come as text, in the form in which answers show them. */
function toCell(value: unknown, column: ColumnDescription, where: string): Cell {
  if (typeof value !== 'string' || (column.type !== 'bytes' && column.type !== 'int')) return value as Json;
  const parsed = parseCell(value, column.type);
  if (parsed.ok) return parsed.cell;
  throw new AppError({ code: 'invalid_argument', message: `${where}.${column.name}: ${parsed.problem}` });
}

/** A thousand reasons of this length still fit into one answer. */
const maxReason = 300;

function missingKey(status: ChangeOutcome['status']): { error?: string } {
  return status === 'skipped' ? { error: 'Skipped: the row has no key' } : {};
}

function presentOutcome({ id, status, key, error }: ChangeOutcome) {
  const plainKey =
    key && Object.fromEntries(Object.entries(key).map(([name, cell]) => [name, cellToJson(cell)]));
  return {
    index: Number(id),
    status,
    ...(plainKey && { key: plainKey }),
    ...(error ? { error: sentences(error).slice(0, maxReason) } : missingKey(status)),
  };
}
