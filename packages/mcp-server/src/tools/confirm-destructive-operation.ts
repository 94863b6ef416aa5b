import { AppError, cannotDestroy } from '@trestle/core';
import { z } from 'zod';
import { connectionArgument, openConnection } from './connection-argument.ts';
import { outcomeAnswer } from './execute-query.ts';
import { defineTool } from './tool.ts';

export const confirmDestructiveOperation = defineTool({
  name: 'confirm_destructive_operation',
  title: 'Run a destructive statement',
  description:
    'Runs a destructive statement that execute_query refused, after the user sees the reason and approves it in ' +
    'Trestle.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  needs: 'destroy',
  input: z.strictObject({
    connection_id: connectionArgument,
    query: z.string().min(1),
    reason: z.string().max(1_000).optional(),
  }),
  async run({ connection_id, query, reason }, call) {
    const refusal = cannotDestroy(call.caller);
    if (refusal) throw new AppError(refusal);
    const { access } = openConnection(call, connection_id);
    const request = { text: query, ...(reason !== undefined && { reason }) };
    const outcome = await call.core.data.runDestructive(access, request);
    return outcomeAnswer(outcome, { offset: 0, includeVectors: false });
  },
});
