import {
  AppError,
  type Caller,
  type Connection,
  type Core,
  type DataAccess,
  visibleConnections,
} from '@trestle/core';
import { z } from 'zod';

export const connectionArgument = z
  .string()
  .min(1)
  .describe('Id of a connection from list_connections, or its name where that is unique');

export const connectionOutput = z.object({ id: z.string(), name: z.string() });

/**
 * The connection a caller means. Names are looked up among those it may see, so that a hidden one cannot be
 * found by guessing; the id of a hidden one goes on to the core, whose gate refuses it and logs the attempt.
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
  throw new AppError({
    code: 'not_found',
    message: `There is no connection "${text}"`,
    hint: 'Call list_connections for the ones there are.',
  });
}

/** For what reads no data: the gate's refusal of a hidden connection, with its entry in the activity log. */
export async function requireVisible(core: Core, access: DataAccess, action: string): Promise<void> {
  const visible = core.connections.visibleTo(access.caller);
  if (visible.some((connection) => connection.id === access.connectionId)) return;
  await core.sessions.admit(access, action);
}

function identify({ id, name }: Connection): { id: string; name: string } {
  return { id, name };
}
