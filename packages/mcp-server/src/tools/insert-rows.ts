import { z } from 'zod';
import { connectionArgument } from './connection-argument.ts';
import { tableArgument, tenantArgument } from './row-arguments.ts';
import { applyRowChanges, changesOutput, maxChanges, valuesArgument } from './row-changes.ts';
import { defineTool } from './tool.ts';

export const insertRows = defineTool({
  name: 'insert_rows',
  title: 'Insert rows',
  description:
    'Adds rows to a table or objects to a collection. Each row reports its own outcome, with its key. A ' +
    'vector database makes the vectors itself where the collection has a module for that.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    rows: z.array(valuesArgument).min(1).max(maxChanges),
    tenant: tenantArgument,
  }),
  output: z.object(changesOutput),
  run: (args, call) =>
    applyRowChanges(
      args,
      args.rows.map((values) => ({ kind: 'insert', values })),
      call,
    ),
});
