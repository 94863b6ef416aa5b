import { z } from 'zod';
import { dataAnswer } from '../answer.ts';
import { connectionArgument, findConnection, requireVisible } from './connection-argument.ts';
import { statusOf, statusOutput } from './connection-status.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const getConnectionStatus = defineTool({
  name: 'get_connection_status',
  title: 'State of a connection',
  description: 'Whether a connection is open, what server it reached, and why it failed where it did.',
  annotations: readAnnotations,
  input: z.strictObject({ connection_id: connectionArgument }),
  output: z.object(statusOutput),
  async run({ connection_id }, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, connection_id);
    await requireVisible(core, accessTo(connection.id), 'get_connection_status');
    return dataAnswer(statusOf(core, connection), `the database "${connection.name}"`);
  },
});
