import type { Connections } from '../types.ts';

/** The names of the driver's connections that are open or opening. */
export function openConnections(
  driver: string,
  parts: { connections: Pick<Connections, 'list'>; isOpen(connectionId: string): boolean },
): string[] {
  return parts.connections
    .list()
    .filter((connection) => connection.driver === driver && parts.isOpen(connection.id))
    .map(({ name }) => name);
}
