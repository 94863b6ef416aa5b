import type { Caller, Core } from '@trestle/core';
import { AnswerBudget } from '../answer.ts';
import { readHistory } from '../history.ts';
import { findConnection } from '../tools/connection-argument.ts';
import { presentDescription, readDescription } from '../tools/describe-table.ts';
import { readConnections } from '../tools/list-connections.ts';
import { readTables } from '../tools/list-tables.ts';
import type { ToolCall } from '../tools/tool.ts';
import { connectionsUri, connectionUri, dataNotice, type ResourceDefinition } from './resource.ts';

export const resources: readonly ResourceDefinition[] = [
  {
    name: 'connections',
    title: 'Connections',
    description: 'The database connections that this client may use.',
    uri: connectionsUri,
    read: async (_, { core, caller }) => ({ notice: dataNotice, ...readConnections(core, caller) }),
  },
  {
    name: 'schema',
    title: 'Schema of a connection',
    description: 'Every table with its columns, keys, filters and an example query.',
    uri: `${connectionsUri}/{connection_id}/schema`,
    list: (core, caller) => ofEach(core, caller, 'schema'),
    async read({ connection_id = '' }, call) {
      const { connection, access } = open(connection_id, call);
      return { notice: dataNotice, ...(await readSchema(call.core, access, connection)) };
    },
  },
  {
    name: 'tables',
    title: 'Tables of a connection',
    description: 'The names of its tables, views or collections.',
    uri: `${connectionsUri}/{connection_id}/tables`,
    list: (core, caller) => ofEach(core, caller, 'tables'),
    async read({ connection_id = '' }, call) {
      const { connection, access } = open(connection_id, call);
      return { notice: dataNotice, connection, ...(await readTables(call.core, access)) };
    },
  },
  {
    name: 'table',
    title: 'A table',
    description: 'What describe_table says of it.',
    uri: `${connectionsUri}/{connection_id}/tables/{table}`,
    async read({ connection_id = '', table = '' }, call) {
      const { connection, access } = open(connection_id, call);
      return { notice: dataNotice, ...(await readDescription(call.core, access, connection, table)) };
    },
  },
  {
    name: 'history',
    title: 'Query history of a connection',
    description: 'The last 100 statements that ran on it.',
    uri: `${connectionsUri}/{connection_id}/history`,
    list: (core, caller) => ofEach(core, caller, 'history'),
    async read({ connection_id = '' }, call) {
      const { connection, access } = open(connection_id, call);
      await call.core.sessions.admit(access, 'history');
      const { caller } = call;
      const history = readHistory(call.core, { caller, connectionIds: [connection.id], limit: 100 });
      return { notice: dataNotice, connection, ...history };
    },
  },
];

/** Beyond these a schema is cut: a driver may need a request to the database for each table. */
const maxTables = 200;

/** A whole database as one object, cut where it would grow too large for a model. */
export async function readSchema(
  core: Core,
  access: { caller: Caller; connectionId: string; signal: AbortSignal },
  connection: { id: string; name: string },
) {
  const described = await core.data.describeAll(access, { limit: maxTables });
  const budget = new AnswerBudget();
  const tables: object[] = [];
  for (const one of described.tables) {
    const {
      connection: _,
      definition: __,
      ...table
    } = await presentDescription(core, access, connection, one);
    if (!budget.take(table)) break;
    tables.push(table);
  }
  const notes =
    tables.length < described.total
      ? [`Cut after ${tables.length} of ${described.total} tables; read them one by one.`]
      : [];
  return { connection, tables, notes };
}

function open(connectionId: string, { core, caller, accessTo }: ToolCall) {
  const connection = findConnection(core, caller, connectionId);
  return { connection, access: accessTo(connection.id) };
}

function ofEach(core: Core, caller: Caller, part: 'schema' | 'tables' | 'history') {
  return core.connections
    .visibleTo(caller)
    .map(({ id, name }) => ({ uri: connectionUri(id, part), name: `${name}: ${part}` }));
}
