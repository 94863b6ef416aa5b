import { z } from 'zod';
import { connectionArgument } from './connection-argument.ts';
import { cellsArgument, maxChanges } from './plain-changes.ts';
import { tableArgument, tenantArgument } from './row-arguments.ts';
import { applyRowChanges } from './row-changes.ts';
import { defineTool } from './tool.ts';

export const insertRows = defineTool({
  name: 'insert_rows',
  title: 'Insert rows',
  description: 'Adds rows: values by column name, bytes as base64.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    rows: z.array(cellsArgument).min(1).max(maxChanges),
    tenant: tenantArgument,
  }),
  run: (args, call) =>
    applyRowChanges(
      args,
      args.rows.map((values) => ({ kind: 'insert', values })),
      call,
    ),
});
