import { z } from 'zod';
import { dataAnswer } from '../answer.ts';
import { connectionArgument, connectionOutput, findConnection } from './connection-argument.ts';
import { filterArguments, tableArgument, tenantArgument, toCountRequest } from './row-arguments.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const countRows = defineTool({
  name: 'count_rows',
  title: 'Count rows',
  description: 'How many rows a table or collection has, all of them or those that match the filters.',
  annotations: readAnnotations,
  input: z.strictObject({
    connection_id: connectionArgument,
    table: tableArgument,
    ...filterArguments,
    tenant: tenantArgument,
  }),
  output: z.object({ connection: connectionOutput, table: z.string(), count: z.number() }),
  async run(args, { core, caller, accessTo }) {
    const connection = findConnection(core, caller, args.connection_id);
    const access = accessTo(connection.id);
    const count = await core.data.count(access, toCountRequest(args));
    return dataAnswer({ connection, table: args.table, count }, `the database "${connection.name}"`);
  },
});
