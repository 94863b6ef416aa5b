import { DriverError, suggestName } from '@trestle/driver-kit';
import { namedRecordsOf } from './answer-shape.ts';
import type { WeaviateClient } from './client.ts';
import { tenantHint } from './failure.ts';
import type { Collection } from './schema.ts';
import { stateWord, type TenantState } from './structure.ts';

export async function listTenants(
  client: WeaviateClient,
  collection: Collection,
  signal: AbortSignal,
): Promise<TenantState[]> {
  if (!collection.multiTenant) return [];
  const path = tenantsPath(collection);
  const answer = await client.json({ method: 'GET', path, ceiling: 'read', signal });
  const tenants = namedRecordsOf(answer, 'name', path) as { name: string; activityStatus?: string }[];
  return tenants
    .map(({ name, activityStatus: state = 'HOT' }) => {
      const word = stateWord(state);
      if (word === 'hot') return { name, state };
      return { name, state, unavailable: `The tenant is ${word}`, activates: word === 'cold' };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Loads a cold tenant, so that its objects can be read. */
export async function activateTenant(
  client: WeaviateClient,
  collection: Collection,
  tenant: string,
  signal: AbortSignal,
): Promise<void> {
  const body = [{ name: tenant, activityStatus: 'HOT' }];
  const path = tenantsPath(collection);
  // The same request can also offload a tenant, so it counts as destructive. This call only loads a tenant.
  await client.json({ method: 'PUT', path, body, ceiling: 'destroy', signal });
}

function tenantsPath({ name }: Collection): string {
  return `/v1/schema/${name}/tenants`;
}

/**
 * The given error. If it says that no tenant was named, or that the named tenant does not exist, its hint suggests
 * active tenants, if any.
 */
export async function namingTenants(
  error: unknown,
  at: { client: WeaviateClient; collection: Collection; tenant: string | undefined; signal: AbortSignal },
): Promise<unknown> {
  if (!(error instanceof DriverError) || error.hint !== tenantHint) return error;
  const { code, message } = error;
  try {
    const tenants = await listTenants(at.client, at.collection, at.signal);
    const names = tenants.filter(({ unavailable }) => unavailable === undefined).map(({ name }) => name);
    if (names.length === 0 && tenants.length > 0) {
      return new DriverError({ code, message, hint: 'No tenant is active. Activate one first.' });
    }
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
