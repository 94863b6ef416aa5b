import { z } from 'zod';
import { dataAnswer } from '../answer.ts';
import { historyEntryOutput, readHistory } from '../history.ts';
import { connectionArgument, findConnection } from './connection-argument.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const searchQueryHistory = defineTool({
  name: 'search_query_history',
  title: 'Search the query history',
  description:
    'Statements that were run on the connections this client may use, newest first: good for learning how ' +
    'this database is queried.',
  annotations: readAnnotations,
  input: z.strictObject({
    connection_id: connectionArgument.optional().describe('Left out: all connections that do not ask first'),
    query: z.string().trim().min(1).optional().describe('Text that the statement contains'),
    limit: z.int().min(1).max(1_000).default(50),
  }),
  output: z.object({
    entries: z.array(historyEntryOutput),
    truncated: z.boolean(),
    notes: z.array(z.string()),
  }),
  async run({ connection_id, query, limit }, { core, caller, accessTo }) {
    if (connection_id !== undefined) {
      const connection = findConnection(core, caller, connection_id);
      await core.sessions.admit(accessTo(connection.id), 'history');
      const found = readHistory(core, { caller, connectionIds: [connection.id], text: query, limit });
      return dataAnswer(found, `the query history of "${connection.name}"`);
    }
    const visible = core.connections.visibleTo(caller);
    const open = visible.filter((connection) => connection.aiPolicy === 'alwaysAllow');
    const found = readHistory(core, {
      caller,
      connectionIds: open.map(({ id }) => id),
      text: query,
      limit,
    });
    if (open.length < visible.length) {
      found.notes.push('Connections that ask the user first are left out; name one by connection_id.');
    }
    return dataAnswer(found, 'the query history');
  },
});
