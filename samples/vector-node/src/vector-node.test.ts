import { expect, test } from 'vitest';
import { runningNode } from './testing/running-node.ts';

test('says which Weaviate it speaks, and that it is a sample', async () => {
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

test('with a key, each refusal is worded as the server words it', async () => {
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

test('a key sent to an open node is refused', async () => {
  const node = await runningNode({ seed: false });
  expect(await node.ask('GET', '/meta', undefined, { authorization: 'Bearer x' })).toEqual({
    status: 401,
    body: { code: 401, message: expect.stringContaining('no authentication scheme is configured') },
  });
});

test('unknown paths and methods', async () => {
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

test('a taken port is an error, not another port', async () => {
  const node = await runningNode({ seed: false });
  await expect(runningNode({ seed: false, port: node.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('the sample is there: four collections, some hundred objects each', async () => {
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
