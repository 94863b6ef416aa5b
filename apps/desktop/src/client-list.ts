import type { ActivityEntry } from '@trestle/core';
import type { ConnectedClient } from '@trestle/mcp-server';
import type { SeenClient } from './client-tally.ts';

/** A client that was seen since the app started: its current state in the MCP server, and its calls in the log. */
export interface ListedClient {
  clientName: string;
  tokenName: string;
  /** How many bridge processes are connected. A token that is used without a bridge counts as one process. */
  connected: number;
  /** The number of running requests and subscriptions. */
  active: number;
  protocolVersion: string | null;
  lastSeenAt: string;
  calls: number;
  refused: number;
  last: Pick<ActivityEntry, 'at' | 'action' | 'outcome' | 'connectionId'> | null;
}

/** The client that was seen last comes first. Clients with the same name and token share one line. */
export function listClients(connected: ConnectedClient[], seen: SeenClient[]): ListedClient[] {
  const clients = new Map<string, ListedClient>();
  for (const { clientName, tokenName, calls, refused, last } of seen) {
    clients.set(keyOf(tokenName, clientName), {
      clientName,
      tokenName,
      connected: 0,
      active: 0,
      protocolVersion: null,
      lastSeenAt: last.at,
      calls,
      refused,
      last,
    });
  }
  for (const { clientName, tokenName, protocolVersion, lastSeenAt, active } of connected) {
    const key = keyOf(tokenName, clientName);
    const known = clients.get(key);
    clients.set(key, {
      clientName,
      tokenName,
      connected: (known?.connected ?? 0) + 1,
      active: (known?.active ?? 0) + active,
      protocolVersion: protocolVersion ?? known?.protocolVersion ?? null,
      lastSeenAt: known && known.lastSeenAt > lastSeenAt ? known.lastSeenAt : lastSeenAt,
      calls: known?.calls ?? 0,
      refused: known?.refused ?? 0,
      last: known?.last ?? null,
    });
  }
  return [...clients.values()].sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt));
}

function keyOf(tokenName: string, clientName: string): string {
  return JSON.stringify([tokenName, clientName]);
}
