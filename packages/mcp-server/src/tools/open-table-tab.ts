import { AppError } from '@trestle/core';
import { z } from 'zod';
import { dataAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import { tableArgument, tenantArgument } from './row-arguments.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const openTableTab = defineTool({
  name: 'open_table_tab',
  title: 'Show a table in Trestle',
  description: 'Opens a tab with the table in a window of Trestle, for the user to look at.',
  annotations: readAnnotations,
  input: z.strictObject({ connection_id: connectionArgument, table: tableArgument, tenant: tenantArgument }),
  output: z.object({ connection: connectionOutput, table: z.string(), opened: z.literal(true) }),
  async run({ connection_id, table, tenant }, { core, caller, accessTo, openTable }) {
    const connection = findConnection(core, caller, connection_id);
    // Through the gate, and so that no tab is opened on a table that is not there.
    const { name } = await core.data.describe(accessTo(connection.id), table);
    const request = { connectionId: connection.id, table: name, ...(tenant !== undefined && { tenant }) };
    const opened = openTable ? await openTable(request) : false;
    if (!opened) {
      throw new AppError({
        code: 'unsupported',
        message: 'Trestle has no window, and none can be opened here',
        hint: 'Read the table with browse_table, or ask the user to open Trestle.',
      });
    }
    return dataAnswer({ connection, table: name, opened: true as const }, 'Trestle');
  },
});
