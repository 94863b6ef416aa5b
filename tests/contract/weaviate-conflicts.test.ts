import type { Change, ChangeOutcome, Json } from '@trestle/driver-kit';
import { rowAt } from '@trestle/driver-kit';
import { follow } from '@trestle/driver-kit/testing';
import { startVectorNode } from '@trestle/vector-node';
import { expect, onTestFinished, test } from 'vitest';
import { type Fate, type ProxiedRequest, startHttpProxy } from '../faults/http-proxy.ts';
import { call, connectWeaviate, weaviateRest } from './weaviate-target.ts';

/** Changes that expect certain cells, behind a proxy in front of the sample node. */

const uuidOf = (row: number) => `44444444-4444-4444-8444-${String(row).padStart(12, '0')}`;

async function behindProxy(rows = 3) {
  const node = await startVectorNode();
  onTestFinished(() => node.stop());
  const properties = [
    { name: 'title', dataType: ['text'] },
    { name: 'at', dataType: ['date'] },
    { name: 'place', dataType: ['geoCoordinates'] },
    { name: 'mentions', dataType: ['Species'] },
  ];
  await weaviateRest(node.port, 'POST', '/schema', { class: 'Shared', vectorizer: 'none', properties });
  const objects = Array.from({ length: rows }, (_, row) => ({
    class: 'Shared',
    id: uuidOf(row),
    properties: { title: 'seen' },
    vector: [row, 1, 0.1],
  }));
  await weaviateRest(node.port, 'POST', '/batch/objects', { objects });
  const proxy = await startHttpProxy(node.port);
  onTestFinished(() => proxy.close());
  const session = await connectWeaviate(proxy.port);
  onTestFinished(() => session.close());
  const theirs = (row: number, changed: { [name: string]: Json }) =>
    weaviateRest(node.port, 'PATCH', `/objects/Shared/${uuidOf(row)}`, {
      ...{ class: 'Shared', id: uuidOf(row) },
      ...('vector' in changed ? changed : { properties: changed }),
    });
  const save = async (...changes: Change[]): Promise<ChangeOutcome[]> => {
    proxy.requests.length = 0;
    const request = { table: 'Shared', changes, rowTimeoutMs: 20_000 };
    const { outcomes } = await follow(session.applyChanges!(request, call));
    return changes.map(({ id }) => outcomes.get(id)!);
  };
  const title = async (row: number) => {
    const object = await weaviateRest(node.port, 'GET', `/objects/Shared/${uuidOf(row)}`);
    return (object as { properties: { title: string } }).properties.title;
  };
  return { proxy, session, port: node.port, theirs, save, title };
}

const update = (row: number, title: string, expected: Record<string, Json>): Change => {
  return { kind: 'update', id: `u${row}`, key: { uuid: uuidOf(row) }, values: { title }, expected };
};
const remove = (row: number, expected: Record<string, Json>): Change => {
  return { kind: 'delete', id: `d${row}`, key: { uuid: uuidOf(row) }, expected };
};
const isPatch = ({ method }: ProxiedRequest) => method === 'PATCH';
const isDelete = ({ method }: ProxiedRequest) => method === 'DELETE';

test('the rows of a save are read in a few requests, and not one by one', async () => {
  const { save, proxy, theirs } = await behindProxy(250);
  await theirs(7, { title: 'theirs' });
  const changes = Array.from({ length: 250 }, (_, row) => update(row, 'mine', { title: 'seen' }));
  const outcomes = await save(...changes);
  expect(outcomes.filter(({ status }) => status !== 'applied')).toEqual([
    { id: 'u7', status: 'conflict', theirs: { title: 'theirs' } },
  ]);
  const single = proxy.requests.filter(({ method, path }) => method === 'GET' && path.includes('/objects/'));
  expect(single.map(({ path }) => path.slice(-4))).toEqual(['0007']);
  expect(proxy.requests.filter(isPatch).length).toBe(249);
});

test('a write whose answer was lost is compared again: the value of another writer is a conflict', async () => {
  const { save, proxy, theirs, title } = await behindProxy();
  const meanwhile = async (row: number) => {
    await theirs(row, { title: 'theirs' });
    return 'reset' as const;
  };
  let writing: Promise<unknown> | undefined;
  proxy.decide = (request) => {
    if (!isPatch(request) && !isDelete(request)) return 'pass';
    writing = meanwhile(isPatch(request) ? 0 : 1);
    return 'reset';
  };
  expect(await save(update(0, 'mine', { title: 'seen' }))).toEqual([
    { id: 'u0', status: 'conflict', theirs: { title: 'theirs' } },
  ]);
  expect(await save(remove(1, { title: 'seen' }))).toEqual([
    { id: 'd1', status: 'conflict', theirs: { title: 'theirs' } },
  ]);
  await writing;
  expect([await title(0), await title(1)]).toEqual(['theirs', 'theirs']);
});

test('a write that arrived although its answer was lost is no conflict with itself, now or when it is sent again', async () => {
  const { save, proxy, title } = await behindProxy();
  proxy.decide = (request) => (isPatch(request) ? 'resetAfter' : 'pass');
  const change = update(0, 'mine', { title: 'seen' });
  expect(await save(change)).toEqual([{ id: 'u0', status: 'applied' }]);
  proxy.decide = () => 'pass';
  expect(await save(change)).toEqual([{ id: 'u0', status: 'applied' }]);
  expect(await title(0)).toBe('mine');
});

test('if the rows cannot be read first, nothing is sent', async () => {
  const { save, proxy, title } = await behindProxy(20);
  proxy.decide = ({ path }) => (isQuery(path) || path.includes('/objects') ? 'reset' : 'pass');
  const outcomes = await save(
    ...Array.from({ length: 20 }, (_, row) => update(row, 'mine', { title: 'seen' })),
  );
  for (const { status, error } of outcomes) {
    expect([status, error?.message]).toEqual(['failed', expect.stringContaining('Not sent')]);
  }
  expect(proxy.requests.filter(isPatch)).toEqual([]);
  proxy.decide = () => 'pass';
  expect(await title(0)).toBe('seen');
});

test('if the server takes no query, each row is read alone', async () => {
  const { save, proxy, theirs } = await behindProxy();
  const gone: Fate = { status: 404, body: '{"code":404,"message":"path was not found"}', reaches: false };
  const disabled = '{"error":[{"message":"graphql api is disabled"}]}';
  proxy.decide = ({ path }) => {
    if (path === '/v1/graphql') return { status: 422, body: disabled, reaches: false };
    return isQuery(path) ? gone : 'pass';
  };
  await theirs(1, { title: 'theirs' });
  const outcomes = await save(...[0, 1, 2].map((row) => update(row, 'mine', { title: 'seen' })));
  expect(outcomes.map(({ status }) => status)).toEqual(['applied', 'conflict', 'applied']);
});

function isQuery(path: string): boolean {
  return path === '/v1/graphql' || path.startsWith('/v1/grpc-web/');
}

test('vectors, references and places are compared as they were shown', async () => {
  const { save, session, theirs, port } = await behindProxy();
  const [target, other] = (
    (await weaviateRest(port, 'GET', '/objects?class=Species&limit=2')) as { objects: { id: string }[] }
  ).objects.map(({ id }) => ({ beacon: `weaviate://localhost/Species/${id}` }));
  const place = { latitude: 48.137, longitude: 11.575 };
  for (const row of [0, 1, 2])
    await theirs(row, { mentions: [target!], place, at: '2026-07-28T09:30:00.120Z' });
  const names = ['title', 'at', 'place', 'mentions', 'vector'];
  const keys = [0, 1, 2].map((row) => ({ uuid: uuidOf(row) }));
  const cells = await session.readCells!({ table: 'Shared', keys, columns: names }, call);
  const shown = keys.map((_, row) => rowAt(cells, row) as Record<string, Json>);
  expect(shown[0]).toMatchObject({ mentions: [target], place, vector: [0, 1, 0.1] });
  await theirs(0, { vector: [0, 1, 0.2] });
  expect(await save(remove(0, shown[0]!), remove(1, shown[1]!))).toMatchObject([
    { status: 'conflict', theirs: { vector: [0, 1, 0.2] } },
    { status: 'applied' },
  ]);
  const beacons: Change = {
    ...{ kind: 'update', id: 'r', key: keys[2]!, values: { mentions: [other!] } },
    expected: { mentions: [target!] },
  };
  expect(await save(beacons, { ...beacons, id: 'again' })).toMatchObject([
    { status: 'applied' },
    // The reference is already the new one.
    { status: 'applied' },
  ]);
  expect(await save({ ...beacons, values: { mentions: [target!] } })).toMatchObject([
    { status: 'conflict', theirs: { mentions: [other] } },
  ]);
});

test('a reference whose target was deleted is no conflict, over REST or Connect', async () => {
  const { save, session, theirs, port } = await behindProxy();
  const list = await weaviateRest(port, 'GET', '/objects?class=Species&limit=1');
  const [{ id } = {} as never] = (list as { objects: { id: string }[] }).objects;
  for (const row of [0, 1])
    await theirs(row, { mentions: [{ beacon: `weaviate://localhost/Species/${id}` }] });
  await weaviateRest(port, 'DELETE', `/objects/Species/${id}`);
  const keys = [0, 1].map((row) => ({ uuid: uuidOf(row) }));
  const cells = await session.readCells!({ table: 'Shared', keys, columns: ['mentions'] }, call);
  const { mentions } = rowAt(cells, 0) as Record<string, Json>;
  const expected = { mentions: mentions! };
  expect(await save(update(0, 'mine', expected), update(1, 'mine', expected))).toMatchObject([
    { status: 'applied' },
    { status: 'applied' },
  ]);
});

test('the row of one tenant is compared with that tenant', async () => {
  const { session, port } = await behindProxy();
  await weaviateRest(port, 'POST', '/schema', {
    class: 'Split',
    vectorizer: 'none',
    multiTenancyConfig: { enabled: true },
    properties: [{ name: 'title', dataType: ['text'] }],
  });
  await weaviateRest(port, 'POST', '/schema/Split/tenants', [{ name: 'north' }, { name: 'south' }]);
  for (const tenant of ['north', 'south'])
    await weaviateRest(port, 'POST', '/objects', {
      ...{ class: 'Split', tenant, id: uuidOf(0) },
      properties: { title: tenant },
    });
  const request = { table: 'Split', changes: [update(0, 'mine', { title: 'north' })], rowTimeoutMs: 20_000 };
  const outcome = async (partition: string) =>
    (await follow(session.applyChanges!({ ...request, partition }, call))).outcomes.get('u0');
  expect(await outcome('south')).toEqual({ id: 'u0', status: 'conflict', theirs: { title: 'south' } });
  expect(await outcome('north')).toEqual({ id: 'u0', status: 'applied' });
});
