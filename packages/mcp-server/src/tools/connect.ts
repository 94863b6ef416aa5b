import { z } from 'zod';
import { dataAnswer } from '../answer.ts';
import { connectionArgument, findConnection } from './connection-argument.ts';
import { presentStatus, statusOutput } from './connection-status.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const connect = defineTool({
  name: 'connect',
  title: 'Open a connection',
  description:
    'Opens a saved connection and says what server answers. Not needed before other tools, which open it ' +
    'themselves; useful to learn whether the database can be reached.',
  annotations: readAnnotations,
  input: z.strictObject({ connection_id: connectionArgument }),
  output: z.object(statusOutput),
  async run({ connection_id }, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, connection_id);
    const status = await core.sessions.open(accessTo(connection.id));
    return dataAnswer(presentStatus(connection, status), `the database "${connection.name}"`);
  },
});
