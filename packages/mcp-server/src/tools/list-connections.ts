import { type Caller, type Connection, type Core, own } from '@trestle/core';
import { z } from 'zod';
import { linesAnswer, type ToolAnswer } from '../answer/answer.ts';
import { cellText } from '../answer/cell-text.ts';
import { errorSentences } from '../errors.ts';
import { defineTool, readAnnotations } from './tool.ts';

export const listConnections = defineTool({
  name: 'list_connections',
  title: 'List connections',
  description: 'Databases you may use; start here. Other tools take name or id as connection_id.',
  annotations: readAnnotations,
  input: z.strictObject({}),
  run: async (_args, { core, caller }) => connectionsAnswer(core, caller),
});

export function connectionsAnswer(core: Core, caller: Caller): ToolAnswer {
  const all = readConnections(core, caller);
  if (all.length === 0) {
    return { text: own`This client may use no connection; the user decides that in Trestle.` };
  }
  const hasTwins = all.some(({ hasTwin }) => hasTwin);
  const header = ['name', ...(hasTwins ? ['id'] : []), 'database', 'query', 'writable', 'state'];
  const lines = all.map((one) =>
    [one.name, ...(hasTwins ? [one.id] : []), one.database, one.language, one.writable, one.state]
      .map((value) => cellText(value))
      .join('\t'),
  );
  const cut = (shown: number) => own`Cut after ${shown} of ${lines.length}.`;
  return linesAnswer(own`the list of connections`, lines, { head: [header.join('\t')], cut });
}

/** The connections that a caller may see, with the values for `list_connections`. */
export function readConnections(core: Core, caller: Caller) {
  const visible = core.connections.visibleTo(caller);
  return visible.map((connection) => {
    const manifest = core.drivers.get(connection.driver);
    return {
      id: connection.id,
      name: connection.name,
      // If another visible connection has the same name, a client must pass the id.
      hasTwin: visible.some(({ id, name }) => id !== connection.id && name === connection.name),
      database: manifest?.name ?? connection.driver,
      language: manifest?.editor.language ?? 'none',
      writable: isWritable(core, caller, connection),
      state: stateOf(core, caller, connection),
    };
  });
}

/** Whether the caller may change rows and the driver supports changes. Before the connection opens, assumes support. */
function isWritable(core: Core, caller: Caller, connection: Connection): boolean {
  const mayWrite = caller.kind === 'person' || caller.token.permission !== 'readOnly';
  const { state, capabilities } = core.sessions.status(connection.id, caller);
  const canWrite = state !== 'connected' || capabilities.includes('applyChanges');
  return mayWrite && connection.externalClients === 'readWrite' && canWrite;
}

function stateOf(core: Core, caller: Caller, { id }: Connection): string {
  if (core.sessions.needsApproval(caller, id)) return 'asks the user at first use';
  const { state, error, warning } = core.sessions.status(id, caller);
  if (error) return `${state}: ${errorSentences(error)}`;
  if (warning !== undefined) return `${state}: ${warning}`;
  // A closed connection opens when it is used, so a client need not know that it is closed.
  return state === 'connected' || state === 'disconnected' ? 'ok' : state;
}
