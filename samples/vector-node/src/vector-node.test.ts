import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { embed } from './embed.ts';
import { digestOf } from './http/authenticate.ts';
import { runningNode } from './testing/running-node.ts';

test('the node names the version of Weaviate that it imitates, and says that it is a sample', async () => {
  const node = await runningNode({ seed: false });
  expect(await node.ask('GET', '/meta')).toEqual({
    status: 200,
    body: {
      grpcMaxMessageSize: 104_858_000,
      hostname: node.url,
      modules: {},
      sample: 'Trestle vector node',
      version: '1.39.0',
    },
  });
  expect(new URL(node.url).hostname).toBe('127.0.0.1');
});

test('a node with a key refuses a missing and a wrong key with Weaviate’s messages', async () => {
  const node = await runningNode({ seed: false, apiKey: 'right' });
  const authorization = (key: string) => ({ authorization: `Bearer ${key}` });
  expect(await node.ask('GET', '/meta')).toEqual({
    status: 401,
    body: { code: 401, message: expect.stringContaining('anonymous access not enabled') },
  });
  expect(await node.ask('GET', '/meta', undefined, authorization('wrong'))).toEqual({
    status: 401,
    body: { code: 401, message: 'unauthorized: invalid api key' },
  });
  expect(await node.ask('GET', '/meta', undefined, authorization('right'))).toMatchObject({ status: 200 });
  expect(await node.ask('GET', '/.well-known/ready')).toEqual({ status: 200, body: '' });
});

test('a key sent to a node that requires none is refused', async () => {
  const node = await runningNode({ seed: false });
  expect(await node.ask('GET', '/meta', undefined, { authorization: 'Bearer x' })).toEqual({
    status: 401,
    body: { code: 401, message: expect.stringContaining('no authentication scheme is configured') },
  });
});

test('unknown paths and methods get Weaviate’s errors', async () => {
  const node = await runningNode({ seed: false });
  expect(await node.ask('GET', '/nope')).toEqual({
    status: 404,
    body: { code: 404, message: 'path /v1/nope was not found' },
  });
  expect(await node.ask('DELETE', '/meta')).toEqual({
    status: 405,
    body: { code: 405, message: 'method DELETE is not allowed, but [GET] are' },
  });
  expect(await node.ask('POST', '/objects', 'not json')).toMatchObject({ status: 400, body: { code: 400 } });
});

test('if the port is in use, the node takes another one', async () => {
  const first = await runningNode({ seed: false });
  const second = await runningNode({ seed: false, port: first.port });
  expect(second.port).not.toBe(first.port);
  expect(await second.ask('GET', '/meta')).toMatchObject({ status: 200, body: { hostname: second.url } });
});

test('a node that has only the digest of a key accepts that key and refuses wrong keys', async () => {
  const node = await runningNode({ seed: false, keyDigest: digestOf('right') });
  const keys = [
    undefined,
    'right',
    'Bearer',
    'Bearer wrong',
    'Bearer right2',
    'Bearer right',
    'bearer right',
  ];
  const statuses = keys.map(async (authorization) => {
    const answer = await node.ask('GET', '/meta', undefined, authorization ? { authorization } : {});
    return [authorization, answer.status];
  });
  const good = ['Bearer right', 'bearer right'];
  expect(await Promise.all(statuses)).toEqual(keys.map((key) => [key, good.includes(key ?? '') ? 200 : 401]));
});

/** A node that counts the texts that it embeds. For the first `failures` texts it throws. */
async function countingNode({ failures = 0 } = {}) {
  const seen = { embedded: 0, failed: [] as unknown[] };
  const node = await runningNode({
    apiKey: 'right',
    embed(text) {
      seen.embedded++;
      if (failures-- > 0) throw new Error('no word vectors');
      return embed(text);
    },
    onLoadFailed: (error) => seen.failed.push(error),
  });
  const ask = (path: string, key = 'right') =>
    node.ask('GET', path, undefined, { authorization: `Bearer ${key}` });
  return { seen, ask };
}

test('the first request with the right key loads the data, and later ones do not load it again', async () => {
  const { seen, ask } = await countingNode();
  expect(await ask('/schema', 'wrong')).toMatchObject({ status: 401 });
  expect(seen.embedded).toBe(0);
  const answers = await Promise.all(['/schema', '/schema', '/meta'].map((path) => ask(path)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const once = seen.embedded;
  expect(once).toBeGreaterThan(0);
  await ask('/schema');
  expect(seen).toEqual({ embedded: once, failed: [] });
});

test('a failure to load the data is reported, and the next request loads the data again', async () => {
  const { seen, ask } = await countingNode({ failures: 1 });
  expect(await ask('/meta')).toEqual({
    status: 503,
    body: { error: [{ message: 'The sample node could not answer: no word vectors' }] },
  });
  expect(seen.failed).toEqual([new Error('no word vectors')]);
  expect(await ask('/meta')).toMatchObject({ status: 200 });
});

test('stopping the node ends its running requests', async () => {
  const node = await runningNode({ seed: false });
  const hanging = request(`${node.url}/v1/graphql`, { method: 'POST' });
  const ended = once(hanging, 'error');
  hanging.write('{');
  await once(hanging, 'socket');
  await node.ask('GET', '/meta');
  await node.stop();
  expect(await ended).toMatchObject([{ code: 'ECONNRESET' }]);
});

test('the sample has four collections, each with more than 20 objects', async () => {
  const node = await runningNode();
  const { data } = await node.graphql(
    '{ Aggregate { Mission { meta { count } } Species { meta { count } } Invention { meta { count } } MuseumNote(tenant: "louvre") { meta { count } } } }',
  );
  const counts = Object.values(data?.Aggregate ?? {}) as unknown as { meta: { count: number } }[][];
  expect(counts.map(([group]) => (group?.meta.count ?? 0) > 20)).toEqual([true, true, true, true]);
  expect(await node.ask('GET', '/nodes?output=verbose')).toMatchObject({
    body: { nodes: [{ status: 'HEALTHY', stats: { shardCount: expect.any(Number) } }] },
  });
});
