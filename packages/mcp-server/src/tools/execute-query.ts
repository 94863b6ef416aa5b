import type { QueryOutcome } from '@trestle/core';
import { amount, type RunResult } from '@trestle/driver-kit';
import { z } from 'zod';
import { dataAnswer, type ToolAnswer } from '../answer/answer.ts';
import { AnswerBudget } from '../answer/answer-budget.ts';
import { nameText } from '../answer/cell-text.ts';
import { rowNumbers, rowsText, vectorsNote } from '../answer/rows-text.ts';
import { connectionArgument, openConnection } from './connection-argument.ts';
import { assertAnswered, withoutVectors } from './documents.ts';
import { limitArgument, offsetArgument, vectorsArgument } from './row-arguments.ts';
import { defineTool } from './tool.ts';

/** The driver reads the rows before the offset too, so a large offset is refused. */
const maxOffset = 100_000;

export const executeQuery = defineTool({
  name: 'execute_query',
  title: 'Run a query',
  description:
    'Runs one SQL statement. A graphql connection takes GraphQL or a REST line (GET /schema). Refuses destructive statements.',
  // In MCP, every change except an addition is destructive, even an UPDATE of one row.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    query: z.string().min(1),
    limit: limitArgument(),
    offset: offsetArgument(maxOffset),
    include_vectors: vectorsArgument,
  }),
  async run({ connection_id, query, limit, offset, include_vectors: includeVectors }, call) {
    const { access, source } = openConnection(call, connection_id);
    const wanted = { text: query, limit: offset + limit, ceiling: 'write' } as const;
    const outcome = await call.core.data.runQuery(access, wanted);
    return outcomeAnswer(outcome, { source, offset, includeVectors });
  },
});

interface Shown {
  source: string;
  offset: number;
  includeVectors: boolean;
}

export function outcomeAnswer(outcome: QueryOutcome, shown: Shown): ToolAnswer {
  assertAnswered(outcome);
  const { results, messages, durationMs } = outcome;
  const budget = new AnswerBudget();
  const notes: string[] = [];
  // Messages take from the budget before the data does, since a message may say that a part of the query failed. If
  // there are results, messages get at most half of the budget. If messages left no room for a row, the next offset
  // would equal the current offset, and a client would loop.
  const said = budget.takeAll(
    messages.map(({ level, text }) => `${level}: ${text}`),
    results.length === 0 ? 1 : 0.5,
  );
  const lines = results.flatMap((result) => {
    const isAlone = results.length === 1;
    const part = resultText(result, { ...shown, budget, notes, isAlone, isRead: outcome.effect === 'read' });
    return !isAlone && result.title !== undefined ? [`${result.title}:`, ...part] : part;
  });
  lines.push(...said);
  const unsaid = messages.length - said.length;
  if (unsaid > 0) notes.push(`${amount(unsaid, 'more message')} did not fit.`);
  if (durationMs >= 1_000) notes.push(`It took ${(durationMs / 1_000).toFixed(1)} s.`);
  return lines.length === 0
    ? { text: ['Done.', ...notes].join(' ') }
    : dataAnswer(shown.source, lines, notes);
}

function resultText(
  result: RunResult,
  {
    budget,
    notes,
    offset,
    includeVectors,
    isAlone,
    isRead,
  }: Shown & { budget: AnswerBudget; notes: string[]; isAlone: boolean; isRead: boolean },
): string[] {
  switch (result.kind) {
    case 'affected':
      return [`${amount(result.rows, 'row')} affected`];
    case 'document': {
      const { document, leftOut } = includeVectors
        ? { document: result.document, leftOut: 0 }
        : withoutVectors(result.document);
      // A note must not invite the client to run a write again.
      if (leftOut > 0) notes.push(isRead ? vectorsNote : 'Vectors left out.');
      const text = JSON.stringify(document);
      const start = budget.takeStart(text);
      if (start.length < text.length) notes.push(isRead ? cutRead : cutWrite);
      return [start];
    }
    case 'rows': {
      const only = rowNumbers(result.rows).slice(offset);
      const found = rowsText(result.rows, { budget, includeVectors, only });
      notes.push(...found.notes);
      const next = offset + found.shown;
      const left = Math.max(0, result.rows.rowCount - next);
      const rest = restWords(left, result.truncated);
      // If the driver stopped at its size limit before the offset, it would stop there again.
      const canContinue = only.length > 0 && next <= maxOffset;
      // An offset applies to every result, so an offset that suits this result could skip rows of other results.
      if (found.cut && isRead && !isAlone)
        notes.push(`${nameText(result.title ?? 'A result')}: ${rest} did not fit. Query it alone.`);
      else if (found.cut || result.truncated) notes.push(restNote({ rest, next, isRead, canContinue }));
      return found.lines;
    }
  }
}

const cutRead = 'The document was cut to fit: ask for less of it.';
const cutWrite = 'The document was cut to fit. The statement ran in full: do not run it again.';

function restWords(left: number, isTruncated: boolean): string {
  if (!isTruncated) return amount(left, 'row');
  return left === 0 ? 'more rows' : `more than ${amount(left, 'row')}`;
}

function restNote(at: { rest: string; next: number; isRead: boolean; canContinue: boolean }): string {
  const { rest, next, isRead, canContinue } = at;
  // The next page of a write with RETURNING would write again.
  if (!isRead) {
    return `The rest (${rest}) is not shown. The statement ran in full: do not run it again.`;
  }
  if (!canContinue) return 'No offset leads to the other rows: narrow the query.';
  return `next_offset: ${next} (${rest} left)`;
}
