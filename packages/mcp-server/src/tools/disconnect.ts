import { AppError } from '@trestle/core';
import { z } from 'zod';
import { dataAnswer } from '../answer.ts';
import { connectionArgument, findConnection } from './connection-argument.ts';
import { statusOf, statusOutput } from './connection-status.ts';
import { defineTool } from './tool.ts';

export const disconnect = defineTool({
  name: 'disconnect',
  title: 'Close a connection',
  description:
    'Closes a connection and ends what runs on it, also for others who use it. The next call on it opens it ' +
    'again. Seldom needed.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ connection_id: connectionArgument }),
  output: z.object(statusOutput),
  async run({ connection_id }, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, connection_id);
    // It ends other people's calls: reading is not enough for that.
    if (caller.kind === 'client' && caller.token.permission === 'readOnly') {
      throw new AppError({
        code: 'forbidden',
        message: 'Forbidden: the token is Read Only',
        hint: 'Use a token with Read & Write permission (Settings > Integrations > Authentication).',
      });
    }
    await core.sessions.closeAs(accessTo(connection.id));
    return dataAnswer(statusOf(core, connection), `the database "${connection.name}"`);
  },
});
