import { z } from 'zod';
import { tableAnswer } from '../description/schema.ts';
import { connectionArgument } from './connection-argument.ts';
import { tableArguments } from './row-arguments.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const describeTable = defineTool({
  name: 'describe_table',
  title: 'Describe a table',
  description:
    'Columns, key, filters and searches that run, example queries. Call it before writing a query. detail adds ' +
    'indexes, definition, and why a filter or search does not run.',
  annotations: readAnnotations,
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArguments.table,
    detail: z.boolean().default(false),
  }),
  run: ({ connection_id, table, detail }, call) =>
    tableAnswer(call, { connection: connection_id, table, detail }),
});
