import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { WeaviateClient } from './client.ts';
import { CollectionReader } from './collection-reader.ts';
import { surelyThere } from './existing-ids.ts';
import { PagingDepth } from './paging-depth.ts';
import { graphqlQueries } from './requests/graphql/queries.ts';
import type { Collection } from './schema.ts';

test.each([
  ['objects', (reader: CollectionReader, ids: string[]) => reader.readAll(ids, false)],
  ['ids', surelyThere],
])('if one of many reads of %s fails, no further read is sent', async (_name, readAll) => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    if (reads === 1) throw new Error('lost');
    return { id: 'x' };
  };
  const client = {
    json: read,
    send: async () => ({ status: 200, body: JSON.stringify(await read()) }),
    parse: JSON.parse,
  } as unknown as WeaviateClient;
  const collection = { name: 'Place', multiTenant: false, definition: {} } as unknown as Collection;
  const { signal } = new AbortController();
  const at = { tenant: undefined, signal, depth: new PagingDepth(), queries: graphqlQueries };
  const reader = new CollectionReader(client, collection, at);
  await expect(readAll(reader, new Array(200).fill('x'))).rejects.toThrow('lost');
  await setImmediate();
  expect(reads).toBe(8);
});
