import { z } from 'zod';
import { connectionArgument } from './connection-argument.ts';
import { tableArgument, tenantArgument } from './row-arguments.ts';
import { applyRowChanges, changesOutput, keyArgument, maxChanges, valuesArgument } from './row-changes.ts';
import { defineTool } from './tool.ts';

export const updateRows = defineTool({
  name: 'update_rows',
  title: 'Update rows',
  description:
    'Sets values of rows named by their key (from browse_table). Only the columns given change. Each row ' +
    'reports its own outcome.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    changes: z
      .array(z.strictObject({ key: keyArgument, values: valuesArgument }))
      .min(1)
      .max(maxChanges),
    tenant: tenantArgument,
  }),
  output: z.object(changesOutput),
  run: (args, call) =>
    applyRowChanges(
      args,
      args.changes.map((change) => ({ kind: 'update', ...change })),
      call,
    ),
});
