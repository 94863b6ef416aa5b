import { own } from '@trestle/core';
import { z } from 'zod';
import { connectionHistory, historyAnswer } from '../history.ts';
import { connectionArgument } from './connection-argument.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const searchQueryHistory = defineTool({
  name: 'search_query_history',
  title: 'Search query history',
  description: 'Earlier statements, newest first; search: a text they contain.',
  annotations: readAnnotations,
  input: z.strictObject({
    connection_id: connectionArgument.optional(),
    search: z.string().trim().min(1).optional(),
    limit: z.int().min(1).max(1_000).default(50),
  }),
  async run({ connection_id, search, limit }, call) {
    const { core, caller } = call;
    if (connection_id !== undefined) return connectionHistory(call, connection_id, { text: search, limit });
    const visible = core.connections.visibleTo(caller);
    const connections = visible.filter((connection) => connection.aiPolicy === 'alwaysAllow');
    const answer = historyAnswer(core, { caller, connections, text: search, limit });
    if (connections.length === visible.length) return answer;
    return {
      text: own`${answer.text}\nConnections that ask the user first are left out; name one by connection_id.`,
    };
  },
});
