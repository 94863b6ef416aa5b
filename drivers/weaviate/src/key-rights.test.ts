import { expect, test } from 'vitest';
import type { StoredKeys } from './client.ts';
import { mayLineCarryKeys } from './key-rights.ts';
import { readRestLine } from './rest-line.ts';
import type { Collection } from './schema.ts';

const noKeys: StoredKeys = { providers: [], hasApiKey: false };
const judge = (text: string, outbound: 'user' | [], keys = noKeys) =>
  mayLineCarryKeys(keys, readRestLine(text)!, {
    outbound,
    collections: async () => [{ name: 'Good', definition: { class: 'Good' } }] as unknown as Collection[],
  });

test.each([
  'POST /graphql/batch [{"query": "{ Get { A { _additional { generate { error } } } } }"}]',
  'POST /v1/graphql/batch []',
  'POST /grpc-web/weaviate.v1.Weaviate/Search {}',
  'POST /mcp {}',
  'POST /modules/any/path {}',
  'PUT /newer/route {}',
  'POST /OBJECTS {"class": "Good"}',
  'POST /',
])('a client may not send %s, also without stored keys: it may carry a query', async (text) => {
  await expect(judge(text, [])).rejects.toMatchObject({ code: 'refused' });
  await expect(judge(text, 'user')).resolves.toBe(false);
});

test.each([
  ['GET /anything', false],
  ['POST /objects {"class": "Good"}', true],
  ['POST /batch/objects {"objects": [{"class": "good"}]}', true],
  ['DELETE /schema/Good', false],
  ['POST /schema {"class": "New"}', false],
  ['POST /aliases {"alias": "A", "class": "Good"}', false],
  ['POST /backups/s3/one/restore {}', false],
])('a client may send %s; it carries keys: %s', async (text, carries) => {
  await expect(judge(text, [], { providers: ['x-openai-api-key'], hasApiKey: true })).resolves.toBe(carries);
});
