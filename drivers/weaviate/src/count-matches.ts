import { DriverError, type Json } from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import type { ObjectQueries } from './requests/model/objects.ts';
import { whereOfRest } from './rest-filter.ts';

interface Server {
  client: WeaviateClient;
  queries: ObjectQueries;
  signal: AbortSignal;
}

/**
 * Counts the objects that the filter of a REST body matches, or all objects if `where` is null. Returns null if they
 * cannot be counted. The count is a read. The server's own `dryRun` is not used: it is the delete request with one more
 * key, and a server that ignored the key would delete.
 */
export async function countMatches(
  { client, queries, signal }: Server,
  { table, where, tenant }: { table: string; where: Json; tenant?: string | undefined },
): Promise<number | null> {
  try {
    const filter = where === null ? null : whereOfRest(where);
    return await queries.count({ client, collection: { name: table }, tenant, signal }, filter);
  } catch (error) {
    if (error instanceof DriverError && error.code === 'cancelled') throw error;
    return null;
  }
}
