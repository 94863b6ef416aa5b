import type { Core, DataAccess } from '@trestle/core';
import { z } from 'zod';
import { AnswerBudget, dataAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const listTables = defineTool({
  name: 'list_tables',
  title: 'List tables',
  description: 'The tables, views or collections of a connection. Opens the connection if it is not open.',
  annotations: readAnnotations,
  input: z.strictObject({ connection_id: connectionArgument }),
  output: z.object({
    connection: connectionOutput,
    tables: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['table', 'view', 'collection']),
        partitioned: z.boolean().describe('Read one tenant at a time'),
        comment: z.string().optional(),
      }),
    ),
    notes: z.array(z.string()),
  }),
  async run({ connection_id }, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, connection_id);
    const listed = await readTables(core, accessTo(connection.id));
    return dataAnswer({ connection, ...listed }, `the database "${connection.name}"`);
  },
});

export async function readTables(core: Core, access: DataAccess) {
  const all = await core.data.tables(access);
  const tables = new AnswerBudget().takeAll(
    all.map(({ name, kind, partitioned, comment }) => ({
      name,
      kind,
      partitioned: partitioned ?? false,
      ...(comment !== undefined && { comment }),
    })),
  );
  const notes =
    tables.length < all.length
      ? [`Cut after ${tables.length} of ${all.length} tables to stay under 1 MB.`]
      : [];
  return { tables, notes };
}
