import { z } from 'zod';
import { connectionArgument } from './connection-argument.ts';
import { cellsArgument, maxChanges } from './plain-changes.ts';
import { tableArgument, tenantArgument } from './row-arguments.ts';
import { applyRowChanges } from './row-changes.ts';
import { defineTool } from './tool.ts';

export const deleteRows = defineTool({
  name: 'delete_rows',
  title: 'Delete rows',
  description: 'Deletes rows. Each key holds exactly the key columns.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    keys: z.array(cellsArgument).min(1).max(maxChanges),
    tenant: tenantArgument,
  }),
  run: (args, call) =>
    applyRowChanges(
      args,
      args.keys.map((key) => ({ kind: 'delete', key })),
      call,
    ),
});
