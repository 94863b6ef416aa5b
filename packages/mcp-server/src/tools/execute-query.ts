import type { QueryOutcome } from '@trestle/core';
import type { RunResult } from '@trestle/driver-kit';
import { z } from 'zod';
import { AnswerBudget, dataAnswer, tableAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import { assertAnswered, withoutVectors } from './documents.ts';
import { limitArgument, vectorsArgument } from './row-arguments.ts';
import { rowsOutput } from './rows-output.ts';
import { defineTool } from './tool.ts';

const title = z.string().optional();

const resultOutput = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rows'),
    title,
    ...rowsOutput,
  }),
  z.object({ kind: z.literal('document'), title, document: z.unknown(), truncated: z.boolean() }),
  z.object({ kind: z.literal('affected'), title, rows_affected: z.number() }),
]);

export const outcomeOutput = z.object({
  connection: connectionOutput,
  effect: z.enum(['read', 'write', 'destroy']),
  results: z.array(resultOutput),
  messages: z.array(z.object({ level: z.enum(['error', 'warning', 'info']), text: z.string() })),
  duration_ms: z.number(),
  notes: z.array(z.string()),
});

export const executeQuery = defineTool({
  name: 'execute_query',
  title: 'Run a query',
  description:
    "Runs one statement in the connection's own language (SQL, or for a vector database GraphQL or a REST " +
    'line). Statements that write run only where the connection is writable; those that destroy are ' +
    'refused here and are for confirm_destructive_operation.',
  // An UPDATE of one row is not additive, which is what the protocol means by destructive.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    query: z.string().min(1).describe('One statement'),
    limit: limitArgument(),
    include_vectors: vectorsArgument,
  }),
  output: outcomeOutput,
  async run({ connection_id, query, limit, include_vectors }, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, connection_id);
    const access = accessTo(connection.id);
    const outcome = await core.data.runQuery(access, { text: query, limit, ceiling: 'write' });
    return dataAnswer(
      presentOutcome(connection, outcome, include_vectors),
      `the database "${connection.name}"`,
    );
  },
});

export function presentOutcome(
  connection: { id: string; name: string },
  outcome: QueryOutcome,
  includeVectors: boolean,
): z.input<typeof outcomeOutput> {
  assertAnswered(outcome);
  const budget = new AnswerBudget();
  const notes: string[] = [];
  const results = outcome.results.map((result) => present(result, budget, includeVectors, notes));
  const messages = budget.takeAll(outcome.messages.map(({ level, text }) => ({ level, text })));
  const { effect, durationMs } = outcome;
  return { connection, effect, results, messages, duration_ms: durationMs, notes };
}

function present(
  result: RunResult,
  budget: AnswerBudget,
  includeVectors: boolean,
  notes: string[],
): z.input<typeof resultOutput> {
  const named = result.title === undefined ? {} : { title: result.title };
  if (result.kind === 'affected') return { kind: 'affected', ...named, rows_affected: result.rows };
  if (result.kind === 'document') {
    const { document, leftOut } = includeVectors
      ? { document: result.document, leftOut: 0 }
      : withoutVectors(result.document);
    if (leftOut > 0) notes.push('Vectors were left out; pass include_vectors for them.');
    if (budget.take(document)) return { kind: 'document', ...named, document, truncated: false };
    notes.push('A document was left out: the answer would be larger than 1 MB. Ask for less of it.');
    return { kind: 'document', ...named, document: null, truncated: true };
  }
  const table = tableAnswer(result.rows, { budget, includeVectors });
  notes.push(...table.notes);
  if (result.truncated) notes.push('There are more rows; raise limit or narrow the query.');
  const truncated = result.truncated || table.cut;
  return { kind: 'rows', ...named, columns: table.columns, rows: table.rows, truncated };
}
