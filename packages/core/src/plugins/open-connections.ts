import type { Connections, SessionStatus } from '../types.ts';

/** The names of the connections that use a driver now, or are about to. */
export function openConnections(
  driver: string,
  parts: { connections: Pick<Connections, 'list'>; status(connectionId: string): SessionStatus },
): string[] {
  const isOpen = (id: string) => !['disconnected', 'failed'].includes(parts.status(id).state);
  return parts.connections
    .list()
    .filter((connection) => connection.driver === driver && isOpen(connection.id))
    .map(({ name }) => name);
}
