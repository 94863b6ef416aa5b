import { DriverError, type Partition, suggestName } from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import { tenantHint } from './failure.ts';
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

/** The same error with the tenants there are, where it is about a tenant. */
export async function namingTenants(
  error: unknown,
  at: { client: WeaviateClient; collection: Collection; tenant: string | undefined; signal: AbortSignal },
): Promise<unknown> {
  if (!(error instanceof DriverError) || error.hint !== tenantHint) return error;
  const { code, message } = error;
  try {
    const tenants = await listTenants(at.client, at.collection, at.signal);
    const names = tenants.filter(({ unavailable }) => unavailable === undefined).map(({ name }) => name);
    const hint = suggestName(at.tenant ?? '', names);
    return new DriverError({
      code,
      message,
      hint: at.tenant === undefined ? `Choose a tenant. ${hint}` : hint,
    });
  } catch {
    return error;
  }
}
