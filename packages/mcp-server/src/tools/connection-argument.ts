import type { DataAccess } from '@trestle/core';
import { z } from 'zod';
import { findConnection } from '../find-connection.ts';
import type { ToolCall } from './tool.ts';

/** Only list_connections explains this argument. The same text in every tool would cost tokens. */
export const connectionArgument = z.string().min(1);

export interface OpenedConnection {
  connection: { id: string };
  access: DataAccess;
}

/** The connection that a tool call names, with the access for core calls on this connection. */
export function openConnection(call: ToolCall, text: string): OpenedConnection {
  const connection = findConnection(call.core, call.caller, text);
  return { connection, access: call.accessTo(connection.id) };
}
