import { own } from '@trestle/core';
import { dataAnswer, type ToolAnswer, theDatabase } from '../answer/answer.ts';
import { AnswerBudget } from '../answer/answer-budget.ts';
import { openConnection } from '../tools/connection-argument.ts';
import type { ToolCall } from '../tools/tool.ts';
import { describeLines, schemaLine } from './describe.ts';

/** A schema is cut after this many tables: a driver may need one request per table. */
const maxTables = 200;

/** A whole database: one line per table, as many as fit. */
export async function schemaAnswer(call: ToolCall, connectionId: string): Promise<ToolAnswer> {
  const { access } = openConnection(call, connectionId);
  const { tables, total } = await call.core.data.describeAll(access, { limit: maxTables });
  if (total === 0) return { text: own`The database has no tables.` };
  const lines = new AnswerBudget().takeAll(tables.map(schemaLine));
  const cut = own`Cut after ${lines.length} of ${total} tables; list_tables names the others.`;
  return dataAnswer(theDatabase, lines, lines.length < total ? [cut] : []);
}

/** The description of one table, cut to fit the answer. */
export async function tableAnswer(
  call: ToolCall,
  { connection, table, detail = false }: { connection: string; table: string; detail?: boolean },
): Promise<ToolAnswer> {
  const { access } = openConnection(call, connection);
  const text = (await describeLines(call.core, access, table, { detail })).join('\n');
  const shown = new AnswerBudget().takeStart(text);
  const cut = own`Cut to fit; list_tables with search finds single columns.`;
  return dataAnswer(theDatabase, shown, shown.length < text.length ? [cut] : []);
}
