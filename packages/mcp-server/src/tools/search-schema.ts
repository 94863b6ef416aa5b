import type { TableDescription } from '@trestle/driver-kit';
import { z } from 'zod';
import { AnswerBudget, dataAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import { defineTool, readAnnotations } from './tool.ts';

/** Beyond these only names of tables are searched: a driver may need a request to the database for each. */
const maxDescribed = 200;

export const searchSchema = defineTool({
  name: 'search_schema',
  title: 'Search the schema',
  description:
    'Tables and columns whose name, type or comment contains a text, ignoring case. For databases with many ' +
    'tables; then call describe_table.',
  annotations: readAnnotations,
  input: z.strictObject({
    connection_id: connectionArgument,
    query: z.string().trim().min(1).describe('Part of a name, type or comment'),
    limit: z.int().min(1).max(1_000).default(100).describe('At most this many matches'),
  }),
  output: z.object({
    connection: connectionOutput,
    matches: z.array(
      z.object({
        table: z.string(),
        column: z.string().optional().describe('Absent where the table itself matches'),
        type: z.string().optional(),
        comment: z.string().optional(),
      }),
    ),
    truncated: z.boolean(),
    notes: z.array(z.string()),
  }),
  async run({ connection_id, query, limit }, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, connection_id);
    const access = accessTo(connection.id);
    const tables = await core.data.tables(access);
    const has = (...texts: (string | undefined)[]) =>
      texts.some((text) => text?.toLowerCase().includes(query.toLowerCase()));
    const notes: string[] = [];
    const matches: Match[] = tables
      .filter((table) => has(table.name, table.comment))
      .map(({ name, comment }) => ({ table: name, ...(comment !== undefined && { comment }) }));
    const described = await core.data.describeAll(access, { limit: maxDescribed });
    matches.push(...described.tables.flatMap((table) => columnMatches(table, has)));
    if (tables.length > maxDescribed) {
      notes.push(`Columns were searched in the first ${maxDescribed} of ${tables.length} tables.`);
    }
    const shown = new AnswerBudget().takeAll(matches.slice(0, limit));
    const truncated = shown.length < matches.length;
    if (truncated) notes.push(`There are more matches than these ${shown.length}; search for a longer text.`);
    return dataAnswer({ connection, matches: shown, truncated, notes }, `the database "${connection.name}"`);
  },
});

interface Match {
  table: string;
  column?: string;
  type?: string;
  comment?: string;
}

function columnMatches(
  { name, columns }: TableDescription,
  has: (...texts: (string | undefined)[]) => boolean,
): Match[] {
  return columns
    .filter((column) => !column.hidden && has(column.name, column.nativeType, column.comment))
    .map((column) => ({
      table: name,
      column: column.name,
      type: column.nativeType,
      ...(column.comment !== undefined && { comment: column.comment }),
    }));
}
