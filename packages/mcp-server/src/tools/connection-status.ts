import type { Core, SessionStatus } from '@trestle/core';
import { z } from 'zod';
import { sentences } from '../errors.ts';
import { connectionOutput } from './connection-argument.ts';

export const statusOutput = {
  connection: connectionOutput,
  state: z.enum(['disconnected', 'connecting', 'connected', 'reconnecting', 'failed']),
  server: z.object({ product: z.string(), version: z.string() }).optional(),
  capabilities: z.array(z.string()).describe('What the driver can do beyond reading, once connected'),
  warning: z.string().optional(),
  error: z.string().optional(),
  retry_at: z.string().optional(),
};

export function presentStatus(
  connection: { id: string; name: string },
  { state, server, capabilities, warning, error, retryAt }: SessionStatus,
) {
  return {
    connection,
    state,
    ...(server && { server: { product: server.product, version: server.version } }),
    capabilities: capabilities.map((name) => words[name] ?? name),
    ...(warning !== undefined && { warning }),
    ...(error && { error: sentences(error) }),
    ...(retryAt !== undefined && { retry_at: retryAt }),
  };
}

const words: Partial<Record<SessionStatus['capabilities'][number], string>> = {
  describeTables: 'describe tables together',
  applyChanges: 'change rows',
  previewChanges: 'preview changes',
  readCells: 'read single cells',
  listPartitions: 'tenants',
  search: 'vector search',
  exportRows: 'export',
  editorSchema: 'schema for an editor',
};

/** What a client may know of a connection's state without asking anybody. */
export function statusOf(core: Core, connection: { id: string; name: string }) {
  return presentStatus(connection, core.sessions.status(connection.id));
}
