import { AppError } from '@trestle/core';
import type { Cell, Change, ChangeOutcome, ColumnDescription, Json, RowKey } from '@trestle/driver-kit';
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
        status: z.enum(['applied', 'failed', 'skipped']),
        key: z.record(z.string(), z.unknown()).optional(),
        error: z.string().optional(),
      }),
    )
    .describe('One for each row; those that failed left the others alone'),
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
  const outcomes = await core.data.applyChanges(access, changeSet(changes));
  const budget = new AnswerBudget();
  const shown = budget.takeAll(outcomes.map(presentOutcome));
  const notes = shown.length < outcomes.length ? [`Only the first ${shown.length} outcomes are shown.`] : [];
  const count = (status: ChangeOutcome['status']) => outcomes.filter((one) => one.status === status).length;
  return dataAnswer(
    {
      connection,
      table,
      applied: count('applied'),
      failed: outcomes.length - count('applied'),
      outcomes: shown,
      notes,
    },
    `the database "${connection.name}"`,
  );
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

/** A key without a value names no row, and a driver would skip it in silence. */
function toKey(key: Record<string, unknown>, columns: Columns, where: string): RowKey {
  const cells = toCells(key, columns, where);
  const keyColumns = [...columns.values()].filter((column) => column.inKey).map((column) => column.name);
  const complete = keyColumns.every((name) => cells[name] !== undefined && cells[name] !== null);
  if (complete && Object.keys(cells).length === keyColumns.length) return cells;
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

function presentOutcome({ id, status, key, error }: ChangeOutcome) {
  const plainKey =
    key && Object.fromEntries(Object.entries(key).map(([name, cell]) => [name, cellToJson(cell)]));
  return {
    index: Number(id),
    status,
    ...(plainKey && { key: plainKey }),
    ...(error && { error: sentences(error) }),
  };
}
