import type { Partition } from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import type { Collection } from './schema.ts';

export async function listTenants(
  client: WeaviateClient,
  collection: Collection,
  signal: AbortSignal,
): Promise<Partition[]> {
  if (!collection.multiTenant) return [];
  const path = `/v1/schema/${collection.name}/tenants`;
  const tenants = (await client.json({ method: 'GET', path, ceiling: 'read', signal })) as {
    name: string;
    activityStatus?: string;
  }[];
  return tenants
    .map(({ name, activityStatus = 'HOT' }) => ({
      name,
      ...(!['HOT', 'ACTIVE'].includes(activityStatus) && {
        unavailable: `The tenant is ${activityStatus.toLowerCase()}`,
      }),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}
