import { type Caller, type Core, type HistoryEntry, own } from '@trestle/core';
import { dataAnswer, type ToolAnswer } from './answer/answer.ts';
import { AnswerBudget } from './answer/answer-budget.ts';
import { cellText } from './answer/cell-text.ts';
import { openConnection } from './tools/connection-argument.ts';
import type { ToolCall } from './tools/tool.ts';

interface HistoryRequest {
  caller: Caller;
  /** Only connections that need no approval or that the gate admitted: the history itself does not ask the gate. */
  connections: { id: string; name: string }[];
  text?: string | undefined;
  limit: number;
}

/** Statements as text for a client: newest first, as many as fit. */
export function historyAnswer(core: Core, { connections, limit, ...request }: HistoryRequest): ToolAnswer {
  const found = readHistory(core, { connections, limit: limit + 1, ...request });
  if (found.length === 0) return { text: own`No statements.` };
  const isOne = connections.length === 1;
  const names = new Map(connections.map(({ id, name }) => [id, name]));
  const header = ['at', ...(isOne ? [] : ['connection']), 'by', 'outcome', 'rows', 'ms', 'query'];
  const lineOf = (entry: HistoryEntry) => {
    const connection = isOne ? [] : [names.get(entry.connectionId) ?? ''];
    return [entry.at.slice(0, 19), ...connection, ...cellsOf(entry)].map((cell) => cellText(cell)).join('\t');
  };
  const budget = new AnswerBudget();
  const shown: string[] = [];
  for (const entry of found.slice(0, limit)) {
    // One long statement must not hide all older ones, so its beginning is shown.
    const line = [lineOf(entry), lineOf(beginningOf(entry))].find((text) => budget.take(text));
    if (line === undefined) break;
    shown.push(line);
  }
  const notes =
    shown.length < found.length
      ? [own`There are more statements. search_query_history finds them by a search text.`]
      : [];
  return dataAnswer(own`the query history`, [header.join('\t'), ...shown], notes);
}

/** The history of one connection, as text for a client. Asks the gate first. */
export async function connectionHistory(
  call: ToolCall,
  connectionId: string,
  request: Pick<HistoryRequest, 'text' | 'limit'>,
): Promise<ToolAnswer> {
  const { core, caller } = call;
  const { connection, access } = openConnection(call, connectionId);
  await core.sessions.admit(access, 'history');
  return historyAnswer(core, { ...request, caller, connections: [{ ...connection, name: '' }] });
}

export function readHistory(
  core: Core,
  { caller, connections, text, limit }: HistoryRequest,
): HistoryEntry[] {
  const connectionIds = connections.map(({ id }) => id);
  return core.history.searchAs(caller, { connectionIds, limit, ...(text !== undefined && { text }) });
}

function beginningOf(entry: HistoryEntry): HistoryEntry {
  const { text, cutFrom } = entry;
  if (text.length <= maxBeginning) return entry;
  return { ...entry, text: text.slice(0, maxBeginning).toWellFormed(), cutFrom: cutFrom ?? text.length };
}

const maxBeginning = 500;

function cellsOf({ caller, outcome, error, rows, durationMs, text, cutFrom }: HistoryEntry) {
  const by = caller === 'person' ? 'user' : 'client';
  const query = cutFrom === null ? text : `${text}… (the beginning of ${cutFrom} characters)`;
  return [by, error === null ? outcome : `${outcome}: ${error}`, rows, Math.round(durationMs), query];
}
