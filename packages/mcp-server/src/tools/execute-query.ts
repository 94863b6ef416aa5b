import { joinOwn, type OwnText, oneLine, own, ownAmount, type QueryOutcome } from '@trestle/core';
import { amount, type RunResult } from '@trestle/driver-kit';
import { z } from 'zod';
import { dataAnswer, type ToolAnswer, theDatabase } from '../answer/answer.ts';
import { AnswerBudget } from '../answer/answer-budget.ts';
import { jsonLine, nameText } from '../answer/cell-text.ts';
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
    'Runs one SQL statement. On a graphql connection, use browse_table and vector_search first; a query is GraphQL or a ' +
    'REST line (GET /schema). Refuses destructive statements.',
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
    const { access } = openConnection(call, connection_id);
    const wanted = { text: query, limit: offset + limit, ceiling: 'write' } as const;
    const outcome = await call.core.data.runQuery(access, wanted);
    return outcomeAnswer(outcome, { offset, includeVectors });
  },
});

interface Shown {
  offset: number;
  includeVectors: boolean;
}

export function outcomeAnswer(outcome: QueryOutcome, shown: Shown): ToolAnswer {
  assertAnswered(outcome);
  const { results, messages, durationMs } = outcome;
  const budget = new AnswerBudget();
  const notes: OwnText[] = [];
  // Messages take from the budget before the data does, since a message may say that a part of the query failed. If
  // there are results, messages get at most half of the budget. If messages left no room for a row, the next offset
  // would equal the current offset, and a client would loop.
  const said = budget.takeAll(
    messages.map(({ level, text }) => (level === 'info' ? oneLine(text) : `${level}: ${oneLine(text)}`)),
    results.length === 0 ? 1 : 0.5,
  );
  const lines = results.flatMap((result, index) => {
    const isAlone = results.length === 1;
    const part = resultText(result, {
      ...shown,
      budget,
      notes,
      place: isAlone ? undefined : index + 1,
      isRead: outcome.effect === 'read',
    });
    return !isAlone && result.title !== undefined ? [`${nameText(result.title)}:`, ...part] : part;
  });
  lines.push(...said);
  const unsaid = messages.length - said.length;
  if (unsaid > 0) notes.push(own`${ownAmount(unsaid, own`more message`)} did not fit.`);
  if (durationMs >= 1_000) notes.push(own`It took ${Math.round(durationMs / 100) / 10} s.`);
  return lines.length === 0
    ? { text: joinOwn([own`Done.`, ...notes], own` `) }
    : dataAnswer(theDatabase, lines, notes);
}

function resultText(
  result: RunResult,
  {
    budget,
    notes,
    offset,
    includeVectors,
    place,
    isRead,
  }: Shown & {
    budget: AnswerBudget;
    notes: OwnText[];
    /** Counted from 1, if there are several results. */
    place: number | undefined;
    isRead: boolean;
  },
): string[] {
  switch (result.kind) {
    case 'affected':
      return [`${amount(result.rows, 'row')} affected`];
    case 'document': {
      const { document, leftOut } = includeVectors
        ? { document: result.document, leftOut: 0 }
        : withoutVectors(result.document);
      // A note must not invite the client to run a write again.
      if (leftOut > 0) notes.push(isRead ? vectorsNote : own`Vectors left out.`);
      const text = jsonLine(document);
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
      if (found.cut && isRead && place !== undefined)
        notes.push(own`Result ${place}: ${rest} did not fit. Query it alone.`);
      else if (found.cut || result.truncated) notes.push(restNote({ rest, next, isRead, canContinue }));
      return found.lines;
    }
  }
}

const cutRead = own`The document was cut to fit: ask for less of it.`;
const cutWrite = own`The document was cut to fit. The statement ran in full: do not run it again.`;

function restWords(left: number, isTruncated: boolean): OwnText {
  if (!isTruncated) return ownAmount(left, own`row`);
  return left === 0 ? own`more rows` : own`more than ${ownAmount(left, own`row`)}`;
}

function restNote(at: { rest: OwnText; next: number; isRead: boolean; canContinue: boolean }): OwnText {
  const { rest, next, isRead, canContinue } = at;
  // The next page of a write with RETURNING would write again.
  if (!isRead) {
    return own`The rest (${rest}) is not shown. The statement ran in full: do not run it again.`;
  }
  if (!canContinue) return own`No offset leads to the other rows: narrow the query.`;
  return own`next_offset: ${next} (${rest} left)`;
}
