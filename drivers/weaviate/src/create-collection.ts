import { type CreateTableRequest, DriverError } from '@trestle/driver-kit';
import type { WeaviateClient } from './client.ts';
import { definitionIn, withoutShards } from './design/definition.ts';
import { assertEndpoints } from './key-rights.ts';

/** Creates a collection with the settings and the tenants of another one. */
export async function createCollection(
  client: WeaviateClient,
  { name, definition, partitions = [], outbound }: CreateTableRequest,
  signal: AbortSignal,
): Promise<void> {
  if (!/^[A-Z][_0-9A-Za-z]*$/.test(name)) {
    throw new DriverError({
      code: 'invalid_argument',
      message: `"${name}" is not a valid name for a collection`,
      hint: 'Start with a capital letter. Letters, digits and _ may follow.',
    });
  }
  // References of the new collection point to the same collections as those of the original.
  const body = withoutShards({ ...definitionIn({ definition }), class: name });
  assertEndpoints(client.keys, { name, definition: body }, outbound);
  await client.json({ method: 'POST', path: '/v1/schema', body, ceiling: 'write', signal });
  if (partitions.length === 0) return;
  const path = `/v1/schema/${name}/tenants`;
  const tenants = partitions.map((partition) => ({ name: partition }));
  await client.json({ method: 'POST', path, body: tenants, ceiling: 'write', signal });
}
