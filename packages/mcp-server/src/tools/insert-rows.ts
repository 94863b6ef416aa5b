import { z } from 'zod';
import { cellsArgument, maxChanges } from './plain-changes.ts';
import { tableArguments } from './row-arguments.ts';
import { applyRowChanges } from './row-changes.ts';
import { defineTool } from './tool.ts';

export const insertRows = defineTool({
  name: 'insert_rows',
  title: 'Insert rows',
  description: 'Adds rows: values by column name, bytes as base64.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  needs: 'write',
  input: z.strictObject({
    ...tableArguments,
    rows: z.array(cellsArgument).min(1).max(maxChanges),
  }),
  run: (args, call) => applyRowChanges(call, args, { insert: args.rows }),
});
