import type { Caller, Core } from '@trestle/core';
import { z } from 'zod';
import { AnswerBudget, dataAnswer } from '../answer.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const listConnections = defineTool({
  name: 'list_connections',
  title: 'List connections',
  description:
    'The database connections saved in Trestle that this client may use, with what it may do on each. Start here.',
  annotations: readAnnotations,
  input: z.strictObject({}),
  output: z.object({
    connections: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        database: z.string().describe('Kind of database'),
        query_language: z.enum(['sql', 'graphql']).nullable(),
        state: z.enum(['disconnected', 'connecting', 'connected', 'reconnecting', 'failed']),
        writable: z.boolean().describe('Whether statements that write may run'),
        asks_user: z.boolean().describe('Whether the user is asked in Trestle at the first use'),
      }),
    ),
    notes: z.array(z.string()),
  }),
  run: async (_args, { core, caller }) =>
    dataAnswer(readConnections(core, caller), "the user's list of connections"),
});

export function readConnections(core: Core, caller: Caller) {
  const mayWrite = caller.kind === 'person' || caller.token.permission !== 'readOnly';
  const all = core.connections.visibleTo(caller).map((connection) => {
    const manifest = core.drivers.get(connection.driver);
    return {
      id: connection.id,
      name: connection.name,
      database: manifest?.name ?? connection.driver,
      query_language: manifest?.editor.language ?? null,
      state: core.sessions.status(connection.id).state,
      writable: mayWrite && connection.externalClients === 'readWrite',
      asks_user: connection.aiPolicy === 'askEachTime',
    };
  });
  const connections = new AnswerBudget().takeAll(all);
  const notes = connections.length < all.length ? [`Cut after ${connections.length} of ${all.length}.`] : [];
  if (all.length === 0) notes.push('No connection is open to this client; the user decides that in Trestle.');
  return { connections, notes };
}
