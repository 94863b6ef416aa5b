import {
  AppError,
  type Caller,
  type Connection,
  type Core,
  type DataAccess,
  visibleConnections,
} from '@trestle/core';
import { nearestName } from '@trestle/driver-kit';
import { z } from 'zod';

import type { ToolCall } from './tool.ts';

/** Only list_connections explains this argument. The same text in every tool would cost tokens. */
export const connectionArgument = z.string().min(1);

export interface OpenedConnection {
  connection: { id: string; name: string };
  access: DataAccess;
  /** The name of the connection in quotes, for the fence around the data. */
  source: string;
}

/** The connection that a tool call names, with the access for core calls on this connection. */
export function openConnection(call: ToolCall, text: string): OpenedConnection {
  const connection = findConnection(call.core, call.caller, text);
  return { connection, access: call.accessTo(connection.id), source: JSON.stringify(connection.name) };
}

/**
 * Finds the connection that a caller means. Names are looked up only among the connections that the caller may see, so
 * the caller cannot guess the name of a hidden connection. The id of a hidden connection goes to the core, whose gate
 * refuses the call and logs it.
 */
export function findConnection(core: Core, caller: Caller, text: string): { id: string; name: string } {
  const byId = core.connections.get(text);
  if (byId && visibleConnections(caller, [byId]).length > 0) return identify(byId);
  const visible = core.connections.visibleTo(caller);
  const [named, ...others] = visible.filter((connection) => connection.name === text);
  if (others.length > 0) {
    throw new AppError({
      code: 'invalid_argument',
      message: `Several connections are called "${text}"`,
      hint: 'Pass the id from list_connections instead.',
    });
  }
  if (named) return identify(named);
  if (byId) return { id: text, name: text };
  const near = nearestName(
    text,
    visible.map(({ name }) => name),
  );
  throw new AppError({
    code: 'not_found',
    message: `There is no connection "${text}"`,
    hint: near === undefined ? 'Call list_connections for the existing ones.' : `Did you mean "${near}"?`,
  });
}

function identify({ id, name }: Connection): { id: string; name: string } {
  return { id, name };
}
