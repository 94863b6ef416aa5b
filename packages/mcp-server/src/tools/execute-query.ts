import type { RunResult } from '@trestle/driver-kit';
import { z } from 'zod';
import { AnswerBudget, dataAnswer, tableAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import { defineTool } from './tool.ts';

const title = z.string().optional();

const resultOutput = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rows'),
    title,
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    rows: z.array(z.array(z.unknown())).describe('Cells in the order of the columns'),
    truncated: z.boolean().describe('Whether there are more rows than these'),
  }),
  z.object({ kind: z.literal('document'), title, document: z.unknown(), truncated: z.boolean() }),
  z.object({ kind: z.literal('affected'), title, rows_affected: z.number() }),
]);

export const executeQuery = defineTool({
  name: 'execute_query',
  title: 'Run a query',
  description:
    "Runs one statement in the connection's own language (SQL, or for a vector database GraphQL or a REST " +
    'line). Statements that write run only where the connection is writable; those that destroy are refused.',
  // Writes are possible, destruction is not: the driver refuses it from a parse.
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    query: z.string().min(1).describe('One statement'),
    limit: z.int().min(1).max(10_000).default(500).describe('At most this many rows'),
    include_vectors: z.boolean().default(false).describe('Vectors are left out unless asked for'),
  }),
  output: z.object({
    connection: connectionOutput,
    effect: z.enum(['read', 'write', 'destroy']),
    results: z.array(resultOutput),
    messages: z.array(z.object({ level: z.enum(['error', 'warning', 'info']), text: z.string() })),
    duration_ms: z.number(),
    notes: z.array(z.string()),
  }),
  async run({ connection_id, query, limit, include_vectors }, { core, caller, signal }) {
    const connection = findConnection(core, caller, connection_id);
    const access = { caller, connectionId: connection.id, signal };
    const outcome = await core.data.runQuery(access, { text: query, limit, ceiling: 'write' });
    const budget = new AnswerBudget();
    const notes: string[] = [];
    const results = outcome.results.map((result) => present(result, budget, include_vectors, notes));
    const messages = budget.takeAll(outcome.messages.map(({ level, text }) => ({ level, text })));
    return dataAnswer(
      { connection, effect: outcome.effect, results, messages, duration_ms: outcome.durationMs, notes },
      `the database "${connection.name}"`,
    );
  },
});

function present(
  result: RunResult,
  budget: AnswerBudget,
  includeVectors: boolean,
  notes: string[],
): z.input<typeof resultOutput> {
  const named = result.title === undefined ? {} : { title: result.title };
  if (result.kind === 'affected') return { kind: 'affected', ...named, rows_affected: result.rows };
  if (result.kind === 'document') {
    if (budget.take(result.document)) {
      return { kind: 'document', ...named, document: result.document, truncated: false };
    }
    notes.push('A document was left out: the answer would be larger than 1 MB. Ask for less of it.');
    return { kind: 'document', ...named, document: null, truncated: true };
  }
  const table = tableAnswer(result.rows, { budget, includeVectors });
  notes.push(...table.notes);
  if (result.truncated) notes.push('There are more rows; raise limit or narrow the query.');
  const truncated = result.truncated || table.cut;
  return { kind: 'rows', ...named, columns: table.columns, rows: table.rows, truncated };
}
