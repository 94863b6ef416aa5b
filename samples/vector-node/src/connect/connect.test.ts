import {
  connectHealthPath,
  connectPath,
  create,
  fromBinary,
  SearchReplySchema,
  SearchRequestSchema,
  toBinary,
} from '@trestle/weaviate-connect';
import { expect, test } from 'vitest';
import { type RunningNode, runningNode } from '../testing/running-node.ts';

const search = 'weaviate.v1.Weaviate/Search';
const health = 'grpc.health.v1.Health/Check';

interface Reply {
  results: { metadata: { score: number }; properties: { nonRefProps: { fields: Record<string, object> } } }[];
}

async function found(node: RunningNode, body: object): Promise<Reply['results']> {
  const { status, body: reply } = await node.connect(search, { collection: 'Mission', ...body });
  expect([status, reply]).toEqual([200, expect.anything()]);
  return (reply as Reply).results;
}

test('the health method needs no key, and the other methods say that a key is wrong with the status 500', async () => {
  const node = await runningNode({ apiKey: 'right' });
  expect(await node.connect(health, {})).toEqual({ status: 200, body: { status: 'SERVING' } });
  const refused = { code: 'unknown', message: 'extract auth: unauthorized: invalid api key' };
  for (const headers of [{}, { authorization: 'Bearer wrong' }] as Record<string, string>[]) {
    expect(await node.connect(search, { collection: 'Mission' }, headers)).toEqual({
      status: 500,
      body: refused,
    });
  }
  const right = await node.connect(search, { collection: 'Mission' }, { authorization: 'Bearer right' });
  expect(right.status).toBe(200);
});

test('what is not Connect gets a plain text, as from Weaviate', async () => {
  const node = await runningNode({ seed: false });
  const path = '/grpc-web/weaviate.v1.Weaviate/Search';
  expect(await node.ask('POST', path, {})).toEqual({ status: 404, body: 'Not Found' });
  expect(await node.connect('weaviate.v1.Weaviate/Nope', {})).toEqual({ status: 404, body: 'Not Found' });
  expect(await node.connect(search, {}, { 'content-type': 'text/plain' })).toMatchObject({ status: 404 });
  expect(await node.ask('GET', path)).toEqual({ status: 405, body: 'Method Not Allowed' });
});

test('a message in its binary form is answered in this form', async () => {
  const node = await runningNode();
  const headers = { 'connect-protocol-version': '1', 'content-type': 'application/proto' };
  const ask = (path: string, bytes: Uint8Array) =>
    fetch(node.url + path, { method: 'POST', headers, body: Buffer.from(bytes) });
  const alive = await ask(connectHealthPath, new Uint8Array(0));
  expect([...new Uint8Array(await alive.arrayBuffer())]).toEqual([8, 1]);
  const request = create(SearchRequestSchema, { collection: 'Mission', limit: 2, metadata: { uuid: true } });
  const answer = await ask(connectPath('Search'), toBinary(SearchRequestSchema, request));
  expect(answer.headers.get('content-type')).toBe('application/proto');
  const reply = fromBinary(SearchReplySchema, new Uint8Array(await answer.arrayBuffer()));
  expect(reply.results).toHaveLength(2);
  const damaged = await ask(connectPath('Search'), Buffer.from('zzzzz'));
  expect([damaged.status, damaged.headers.get('content-type')]).toEqual([500, 'application/json']);
});

test('the defaults are those of Connect: 10 rows, descending order, keywords only', async () => {
  const node = await runningNode();
  expect(await found(node, {})).toHaveLength(10);
  const properties = { nonRefProperties: ['name'] };
  const names = async (sort: object) =>
    (await found(node, { properties, limit: 500, sortBy: [{ path: ['name'], ...sort }] })).map(
      ({ properties: { nonRefProps } }) => nonRefProps.fields.name,
    );
  expect(await names({})).toEqual((await names({ ascending: true })).reverse());
  const scores = async (hybridSearch: object) =>
    (
      await found(node, { metadata: { score: true }, hybridSearch: { query: 'moon dust', ...hybridSearch } })
    ).map(({ metadata }) => metadata.score);
  const keywords = await scores({ useAlphaParam: true, alphaParam: 0 });
  expect(await scores({})).toEqual(keywords);
  expect(await scores({ alphaParam: 0.75 })).toEqual(keywords);
  expect(await scores({ useAlphaParam: true, alphaParam: 0.75 })).not.toEqual(keywords);
});

test('an unknown key is ignored, and a value of the wrong type is an error with the status 500', async () => {
  const node = await runningNode();
  const filter = { operator: 'OPERATOR_EQUAL', target: { property: 'crewed' }, valueBoolean: true };
  const all = await found(node, { limit: 500 });
  expect(await found(node, { limit: 500, filter })).toHaveLength(all.length);
  expect((await found(node, { limit: 500, filters: filter })).length).toBeLessThan(all.length);
  expect(await node.connect(search, { collection: 'Mission', limit: 'many' })).toMatchObject({
    status: 500,
    body: { code: 'unknown', message: expect.stringContaining('limit') },
  });
});

test('a message that is larger than the limit is refused, in both directions', async () => {
  const node = await runningNode({ maximumMessageSize: 2000 });
  expect(await node.connect(search, { collection: 'Mission', limit: 50 })).toEqual({
    status: 429,
    body: {
      code: 'resource_exhausted',
      message: expect.stringMatching(/^grpc: trying to send message larger than max \(\d+ vs\. 2000\)$/),
    },
  });
  expect(await node.connect(search, { collection: 'Mission', tenant: 'x'.repeat(3000) })).toEqual({
    status: 429,
    body: { code: 'resource_exhausted', message: 'max buffer size (2000) exceeded' },
  });
  expect(await node.connect(search, { collection: 'Mission', limit: 1, properties: {} })).toMatchObject({
    status: 200,
  });
  expect(await node.ask('GET', '/meta')).toMatchObject({ body: { grpcMaxMessageSize: 2000 } });
});

test('the tenants of a collection have their state, and unknown names are left out', async () => {
  const node = await runningNode({ seed: false });
  const classes = {
    class: 'Split',
    vectorizer: 'none',
    multiTenancyConfig: { enabled: true },
    properties: [],
  };
  await node.ask('POST', '/schema', classes);
  const tenants = [{ name: 'hot' }, { name: 'cold', activityStatus: 'COLD' }];
  await node.ask('POST', '/schema/Split/tenants', tenants);
  const ask = async (names?: string[]) =>
    (
      await node.connect('weaviate.v1.Weaviate/TenantsGet', {
        collection: 'Split',
        ...(names && { names: { values: names } }),
      })
    ).body;
  const hot = { name: 'hot', activityStatus: 'TENANT_ACTIVITY_STATUS_HOT' };
  const cold = { name: 'cold', activityStatus: 'TENANT_ACTIVITY_STATUS_COLD' };
  expect(await ask()).toMatchObject({ tenants: [hot, cold] });
  expect(await ask(['cold', 'nope'])).toMatchObject({ tenants: [cold] });
});
