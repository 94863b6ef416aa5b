import { z } from 'zod';
import { connectionArgument } from './connection-argument.ts';
import { tableArgument, tenantArgument } from './row-arguments.ts';
import { applyRowChanges, changesOutput, keyArgument, maxChanges } from './row-changes.ts';
import { defineTool } from './tool.ts';

export const deleteRows = defineTool({
  name: 'delete_rows',
  title: 'Delete rows',
  description:
    'Deletes rows named one by one by their key (from browse_table). Each row reports its own outcome. ' +
    'Deleting by filter or dropping a table is for confirm_destructive_operation.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    keys: z.array(keyArgument).min(1).max(maxChanges),
    tenant: tenantArgument,
  }),
  output: z.object(changesOutput),
  run: (args, call) =>
    applyRowChanges(
      args,
      args.keys.map((key) => ({ kind: 'delete', key })),
      call,
    ),
});
