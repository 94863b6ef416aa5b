import type { Connections, SessionStatus } from '../types.ts';

/** The names of the connections that use a driver now, or are about to. */
export function openConnections(
  driver: string,
  parts: { connections: Pick<Connections, 'list'>; status(connectionId: string): SessionStatus },
): string[] {
  const isOpen = (id: string) => {
    const { state, installing } = parts.status(id);
    // A connection that waits for its driver does not use one yet.
    return state !== 'disconnected' && state !== 'failed' && !installing;
  };
  return parts.connections
    .list()
    .filter((connection) => connection.driver === driver && isOpen(connection.id))
    .map(({ name }) => name);
}
