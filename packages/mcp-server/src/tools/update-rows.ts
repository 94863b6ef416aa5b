import { z } from 'zod';
import { cellsArgument, maxChanges } from './plain-changes.ts';
import { tableArguments } from './row-arguments.ts';
import { applyRowChanges } from './row-changes.ts';
import { defineTool } from './tool.ts';

export const updateRows = defineTool({
  name: 'update_rows',
  title: 'Update rows',
  description:
    'Sets values in rows; other columns stay. key: exactly the key columns. A row unlike expected stays; without it, the last writer wins.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  needs: 'write',
  input: z.strictObject({
    ...tableArguments,
    changes: z
      .array(
        z.strictObject({ key: cellsArgument, values: cellsArgument, expected: cellsArgument.optional() }),
      )
      .min(1)
      .max(maxChanges),
  }),
  run: (args, call) => applyRowChanges(call, args, { update: args.changes }),
});
