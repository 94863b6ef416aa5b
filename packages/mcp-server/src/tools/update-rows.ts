import { z } from 'zod';
import { connectionArgument } from './connection-argument.ts';
import { cellsArgument, maxChanges } from './plain-changes.ts';
import { tableArgument, tenantArgument } from './row-arguments.ts';
import { applyRowChanges } from './row-changes.ts';
import { defineTool } from './tool.ts';

export const updateRows = defineTool({
  name: 'update_rows',
  title: 'Update rows',
  description: 'Sets values in rows; other columns stay. key holds exactly the key columns.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    changes: z
      .array(z.strictObject({ key: cellsArgument, values: cellsArgument }))
      .min(1)
      .max(maxChanges),
    tenant: tenantArgument,
  }),
  run: (args, call) =>
    applyRowChanges(
      args,
      args.changes.map((change) => ({ kind: 'update', ...change })),
      call,
    ),
});
