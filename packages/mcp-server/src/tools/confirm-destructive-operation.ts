import { AppError, cannotDestroy } from '@trestle/core';
import { z } from 'zod';
import { dataAnswer } from '../answer.ts';
import { connectionArgument, findConnection } from './connection-argument.ts';
import { outcomeOutput, presentOutcome } from './execute-query.ts';
import { defineTool } from './tool.ts';

export const confirmDestructiveOperation = defineTool({
  name: 'confirm_destructive_operation',
  title: 'Run a destructive statement',
  description:
    'Runs one statement that destroys data (drop a table or collection, delete by filter, truncate) after the ' +
    'user has approved it in a dialog of Trestle that shows what will be lost. Needs a Full Access token; the ' +
    'stdio bridge cannot use it. No argument of this call can take the place of that approval.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    connection_id: connectionArgument,
    query: z.string().min(1).describe('One destructive statement'),
    reason: z.string().max(1_000).optional().describe('Why, in words that the user will read as yours'),
  }),
  output: outcomeOutput,
  async run({ connection_id, query, reason }, { core, caller, accessTo }) {
    const refusal = cannotDestroy(caller);
    if (refusal) throw new AppError(refusal);
    const connection = findConnection(core, caller, connection_id);
    const access = accessTo(connection.id);
    const outcome = await core.data.runDestructive(access, {
      text: query,
      ...(reason !== undefined && { reason }),
    });
    return dataAnswer(presentOutcome(connection, outcome, false), `the database "${connection.name}"`);
  },
});
