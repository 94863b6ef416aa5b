import type { Caller, Core } from '@trestle/core';
import type { ToolAnswer } from '../answer/answer.ts';
import { schemaAnswer, tableAnswer } from '../description/schema.ts';
import { connectionHistory } from '../history.ts';
import { openConnection } from '../tools/connection-argument.ts';
import { connectionsAnswer } from '../tools/list-connections.ts';
import { tablesAnswer } from '../tools/list-tables.ts';
import type { ToolCall } from '../tools/tool.ts';

/** A resource that a client reads by its URI. All resources are listed below. */
export interface ResourceDefinition {
  name: string;
  title: string;
  description: string;
  /** URI, or URI template. */
  uri: string;
  /** The resources of a template that a client may see. Does not access a database. */
  list?(core: Core, caller: Caller): { uri: string; name: string }[];
  /** The text, with its data inside a fence. */
  read(variables: Record<string, string>, call: ToolCall): Promise<ToolAnswer>;
}

export const connectionsUri = 'trestle://connections';

function connectionUri(connectionId: string, part: 'schema' | 'tables' | 'history'): string {
  return `${connectionsUri}/${encodeURIComponent(connectionId)}/${part}`;
}

export const resources: readonly ResourceDefinition[] = [
  {
    name: 'connections',
    title: 'Connections',
    description: 'The database connections that this client may use.',
    uri: connectionsUri,
    read: async (_, { core, caller }) => connectionsAnswer(core, caller),
  },
  {
    name: 'schema',
    title: 'Schema of a connection',
    description: 'Its tables with their columns and keys.',
    uri: `${connectionsUri}/{connection_id}/schema`,
    list: (core, caller) => ofEach(core, caller, 'schema'),
    read: ({ connection_id = '' }, call) => schemaAnswer(call, connection_id),
  },
  {
    name: 'tables',
    title: 'Tables of a connection',
    description: 'The names of its tables, views or collections.',
    uri: `${connectionsUri}/{connection_id}/tables`,
    list: (core, caller) => ofEach(core, caller, 'tables'),
    read: async ({ connection_id = '' }, call) =>
      tablesAnswer(call.core, openConnection(call, connection_id)),
  },
  {
    name: 'table',
    title: 'A table',
    description: 'The same text as describe_table.',
    uri: `${connectionsUri}/{connection_id}/tables/{table}`,
    read: ({ connection_id = '', table = '' }, call) =>
      tableAnswer(call, { connection: connection_id, table }),
  },
  {
    name: 'history',
    title: 'Query history of a connection',
    description: 'Its last statements, at most 100.',
    uri: `${connectionsUri}/{connection_id}/history`,
    list: (core, caller) => ofEach(core, caller, 'history'),
    read: ({ connection_id = '' }, call) => connectionHistory(call, connection_id, { limit: 100 }),
  },
];

function ofEach(core: Core, caller: Caller, part: 'schema' | 'tables' | 'history') {
  return core.connections
    .visibleTo(caller)
    .map(({ id, name }) => ({ uri: connectionUri(id, part), name: `${name}: ${part}` }));
}
