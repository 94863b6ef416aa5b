import { DriverError, type Json, suggestName } from '@trestle/driver-kit';
import { isRecord } from './answer-shape.ts';
import type { WeaviateClient } from './client.ts';
import { collectionName } from './loss.ts';
import type { RestLine } from './rest-line.ts';
import type { Collection, Property } from './schema.ts';
import { member } from './strict-json.ts';
import { listTenants } from './tenants.ts';

interface Server {
  client: WeaviateClient;
  collections: Collection[];
  signal: AbortSignal;
}

/**
 * Refuses a line whose objects name a collection, a property or a tenant that does not exist. A server with automatic
 * schema would create each of them, also for a misspelt name. For clients only: a person sees the schema grow.
 */
export async function assertNoNewNames(line: RestLine, server: Server): Promise<void> {
  for (const { table, tenant, properties } of objectsOf(line)) {
    // The server refuses an object without a collection.
    if (table === '') continue;
    const collection = await collectionOf(table, server);
    assertProperties(properties, collection.properties, collection.name);
    if (typeof tenant === 'string') await assertTenant(tenant, collection, server);
  }
}

/** A collection that creates its tenants would also create a misspelt one. */
export async function assertTenant(
  tenant: string,
  collection: Collection,
  { client, signal }: Pick<Server, 'client' | 'signal'>,
): Promise<void> {
  const settings = member(collection.definition, 'multiTenancyConfig');
  if (member(settings, 'autoTenantCreation') !== true) return;
  const names = (await listTenants(client, collection, signal)).map(({ name }) => name);
  if (names.includes(tenant)) return;
  throw new DriverError({
    code: 'not_found',
    message: `${collection.name} has no tenant "${tenant}". Nothing was stored`,
    hint: `${suggestName(tenant, names)} POST /schema/${collection.name}/tenants creates one.`,
  });
}

interface NamedObject {
  table: string;
  tenant: Json | undefined;
  properties: Json | undefined;
}

function objectsOf({ method, segments, body }: RestLine): NamedObject[] {
  const [root, first] = segments;
  const named = (object: Json, table = String(member(object, 'class') ?? '')): NamedObject => ({
    table,
    tenant: member(object, 'tenant'),
    properties: member(object, 'properties'),
  });
  if (root === 'batch' && first === 'objects' && method === 'POST') {
    const objects = member(body?.value, 'objects');
    return Array.isArray(objects) ? objects.map((object) => named(object)) : [];
  }
  const isObject = root === 'objects' && body !== undefined && segments[3] === undefined;
  if (!isObject || !['POST', 'PUT', 'PATCH'].includes(method) || first === 'validate') return [];
  return [segments.length === 3 ? named(body.value, first!) : named(body.value)];
}

async function collectionOf(given: string, { client, collections, signal }: Server): Promise<Collection> {
  const name = collectionName(given);
  const found = collections.find((one) => one.name === name) ?? (await aliased(name));
  if (found) return found;
  const names = collections.map((one) => one.name);
  throw new DriverError({
    code: 'not_found',
    message: `There is no collection "${given}". Nothing was stored`,
    hint: `${suggestName(name, names)} POST /schema creates one.`,
  });

  async function aliased(alias: string): Promise<Collection | undefined> {
    const path = `/v1/aliases/${encodeURIComponent(alias)}`;
    const { status, body } = await client.send({ method: 'GET', path, ceiling: 'read', signal });
    // A server before 1.32 has no aliases.
    if (status !== 200) return undefined;
    const target = member(JSON.parse(body) as Json, 'class');
    return collections.find((one) => one.name === target);
  }
}

function assertProperties(values: Json | undefined, properties: Property[], place: string): void {
  if (!isRecord(values)) return;
  for (const [given, value] of Object.entries(values)) {
    // The server takes `Title` for `title`.
    const name = given.slice(0, 1).toLowerCase() + given.slice(1);
    const property = properties.find((one) => one.name === name);
    if (!property) {
      throw new DriverError({
        code: 'not_found',
        message: `${place} has no property "${given}". Nothing was stored`,
        hint: suggestName(
          given,
          properties.map((one) => one.name),
        ),
      });
    }
    if (property.nested.length === 0) continue;
    for (const one of [value].flat()) assertProperties(one as Json, property.nested, `${place}.${name}`);
  }
}
