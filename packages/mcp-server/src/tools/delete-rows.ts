import { z } from 'zod';
import { cellsArgument, maxChanges } from './plain-changes.ts';
import { tableArguments } from './row-arguments.ts';
import { applyRowChanges } from './row-changes.ts';
import { defineTool } from './tool.ts';

export const deleteRows = defineTool({
  name: 'delete_rows',
  title: 'Delete rows',
  description: 'Deletes rows by key. A key holds exactly the key columns.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needs: 'write',
  input: z.strictObject({
    ...tableArguments,
    keys: z.array(cellsArgument).min(1).max(maxChanges),
  }),
  run: (args, call) => applyRowChanges(call, args, { delete: args.keys }),
});
