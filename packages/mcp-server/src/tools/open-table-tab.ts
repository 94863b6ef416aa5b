import { AppError, own } from '@trestle/core';
import { z } from 'zod';
import { openConnection } from './connection-argument.ts';
import { tableArguments } from './row-arguments.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const openTableTab = defineTool({
  name: 'open_table_tab',
  title: 'Show a table in Trestle',
  description: 'Shows the user a table.',
  annotations: readAnnotations,
  input: z.strictObject(tableArguments),
  async run({ connection_id, table, tenant }, call) {
    const { connection, access } = openConnection(call, connection_id);
    // Describes the table first. If the gate refuses this call, or if the table does not exist, no tab opens.
    const { name } = await call.core.data.describe(access, table);
    const request = { connectionId: connection.id, table: name, ...(tenant !== undefined && { tenant }) };
    if (await call.openTable?.(request)) return { text: own`Opened.` };
    throw new AppError({
      code: 'unsupported',
      message: own`Trestle has no window, and none can be opened here`,
      hint: own`Read the table with browse_table, or ask the user to open Trestle.`,
    });
  },
});
