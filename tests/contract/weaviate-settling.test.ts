import type { Change, ChangeOutcome, RowKey } from '@trestle/driver-kit';
import { follow } from '@trestle/driver-kit/testing';
import { startVectorNode } from '@trestle/vector-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type OtherAnswer, type ProxiedRequest, startHttpProxy } from '../faults/http-proxy.ts';
import { call, connectWeaviate, weaviateRest } from './weaviate-target.ts';

/** Writes whose outcome is not known, behind a proxy in front of the sample node. */

const uuid = '77777777-7777-4777-8777-777777777777';
const html = '<html><h1>Bad Gateway</h1></html>';
const own = (message: string) => JSON.stringify({ error: [{ message }] });

async function behindProxy() {
  const node = await startVectorNode();
  onTestFinished(() => node.stop());
  const properties = [{ name: 'title', dataType: ['text'] }];
  await weaviateRest(node.port, 'POST', '/schema', { class: 'Lost', vectorizer: 'none', properties });
  const proxy = await startHttpProxy(node.port);
  onTestFinished(() => proxy.close());
  const session = await connectWeaviate(proxy.port);
  onTestFinished(() => session.close());
  const save = async (change: Change, rowTimeoutMs = 30_000): Promise<ChangeOutcome> => {
    const request = { table: 'Lost', changes: [change], rowTimeoutMs };
    const { outcomes } = await follow(session.applyChanges!(request, call));
    return outcomes.get(change.id)!;
  };
  const titles = async () => {
    const list = (await weaviateRest(node.port, 'GET', '/objects?class=Lost&limit=100')) as {
      objects: { properties: { title?: string } }[];
    };
    return list.objects.map(({ properties: { title } }) => title);
  };
  const put = (title: string) =>
    weaviateRest(node.port, 'POST', '/objects', { class: 'Lost', id: uuid, properties: { title } });
  return { proxy, session, save, titles, put };
}

const isPost = ({ method, path }: ProxiedRequest) => method === 'POST' && path === '/v1/objects';
const isObject = ({ method, path }: ProxiedRequest) => method === 'GET' && /^.v1.objects.Lost/.test(path);
const isList = ({ method, path }: ProxiedRequest) => method === 'GET' && /^.v1.objects.class=/.test(path);

const untyped: Change = { kind: 'insert', id: 'c', values: { title: 'new' } };
const typed: Change = { kind: 'insert', id: 'c', values: { uuid, title: 'new' } };
const update: Change = { kind: 'update', id: 'c', key: { uuid }, values: { title: 'new' } };
const remove: Change = { kind: 'delete', id: 'c', key: { uuid } };

describe('a status that does not tell whether the row was stored', () => {
  const answers: [number, string][] = [
    [408, html],
    [500, html],
    [500, own('put object: import into index lost: update vector index: entrypoint was deleted')],
    [500, own('replicate insertion: shard="x" broadcast: cannot reach enough replicas')],
    [502, ''],
    [503, html],
    [504, JSON.stringify({ message: 'Endpoint request timed out' })],
    [520, html],
    [522, 'error code: 522'],
    [524, 'error code: 524'],
    [527, html],
  ];
  const isOwn = (body: string) => body.includes('"error"') && !body.includes('replica');

  test.each(answers)('makes the driver look for the row: %i %s', async (status, body) => {
    const { proxy, save, titles } = await behindProxy();
    const answer = (reaches: boolean): OtherAnswer => ({ status, body, reaches });
    proxy.decide = (request) => (isPost(request) ? answer(true) : 'pass');
    const warning = expect.stringMatching(/^Stored, but the server reports an error.*entrypoint was deleted/);
    const stored = { id: 'c', status: 'applied', ...(isOwn(body) && { warning }) };
    expect(await save(untyped)).toEqual({ ...stored, key: { uuid: expect.any(String) } });
    expect(await save(typed)).toEqual({ ...stored, key: { uuid } });
    proxy.decide = (request) => (isPost(request) ? answer(false) : 'pass');
    const missed = await save(untyped);
    // An error of the server itself shows that the server no longer works on the row. An error about replicas does not.
    expect(missed.status).toBe(isOwn(body) ? 'failed' : 'unknown');
    expect(missed.key).toEqual({ uuid: expect.any(String) });
    expect(await titles()).toEqual(['new', 'new']);
  });

  test('but a 422 is a failure', async () => {
    const { proxy, save } = await behindProxy();
    proxy.decide = (request) =>
      isPost(request) ? { status: 422, body: own('invalid object'), reaches: false } : 'pass';
    expect(await save(untyped)).toEqual({
      id: 'c',
      status: 'failed',
      error: { code: 'query_failed', message: 'invalid object' },
    });
  });
});

describe('a new row without an answer', () => {
  test('has a key before it is sent, and is not stored twice when it is sent again', async () => {
    const { proxy, session, titles } = await behindProxy();
    let keys: Record<string, RowKey> = {};
    proxy.decide = (request) => {
      if (!isPost(request)) return 'reset';
      expect(keys.c).toBeDefined();
      return 'resetAfter';
    };
    const request = (change: Change) => ({ table: 'Lost', changes: [change], rowTimeoutMs: 30_000 });
    // The save reads the schema first, so the schema request must pass.
    const passing = proxy.decide;
    proxy.decide = (one) => (one.path === '/v1/schema' ? 'pass' : passing(one));
    const first = await follow(session.applyChanges!(request(untyped), call), (report) => {
      keys = { ...keys, ...report.keys };
    });
    const lost = first.outcomes.get('c')!;
    expect(lost).toMatchObject({ status: 'unknown', key: keys.c });
    proxy.decide = () => 'pass';
    const again = await follow(session.applyChanges!(request({ ...untyped, key: keys.c! }), call));
    expect(again.outcomes.get('c')).toEqual({ id: 'c', status: 'applied', key: keys.c });
    expect(await titles()).toEqual(['new']);
  });

  test('that was stored is not stored again under another uuid that the user types', async () => {
    const { proxy, save, titles } = await behindProxy();
    proxy.decide = (request) => {
      if (isPost(request)) return 'resetAfter';
      return request.path === '/v1/schema' ? 'pass' : 'reset';
    };
    const lost = await save(untyped);
    expect(lost.status).toBe('unknown');
    proxy.decide = () => 'pass';
    const renamed = (title: string): Change => ({ ...untyped, key: lost.key!, values: { uuid, title } });
    expect(await save(renamed('new'))).toEqual({
      id: 'c',
      status: 'failed',
      error: {
        code: 'conflict',
        message: `This row is already stored as ${lost.key!.uuid}`,
        hint: 'Discard this row. To store the same values a second time, add a new row.',
      },
    });
    expect(await titles()).toEqual(['new']);
    // The object under the earlier uuid has other values than this row, so this row is a new row.
    expect(await save(renamed('other'))).toEqual({ id: 'c', status: 'applied', key: { uuid } });
  });

  test('that the server stores after the driver looked for it is unknown, not failed, and is found later', async () => {
    const { proxy, session, save, titles } = await behindProxy();
    const late = Promise.withResolvers<void>();
    proxy.decide = (request) => (isPost(request) ? { arrives: late.promise } : 'pass');
    const lost = await save(untyped, 400);
    expect(lost).toMatchObject({ status: 'unknown', error: { code: 'timeout' } });
    const sent = { ...untyped, key: lost.key! };
    // The row may still arrive, so a recent row is not reported as missing.
    const look = async (recent: boolean) =>
      (await session.settleChanges!({ table: 'Lost', changes: [sent], recent }, call))[0];
    expect(await look(true)).toEqual({ id: 'c', status: 'unknown', key: lost.key });
    expect(await look(false)).toMatchObject({
      status: 'failed',
      error: { message: 'Not saved; the object is not there' },
      key: lost.key,
    });
    proxy.decide = () => 'pass';
    late.resolve();
    await expect.poll(titles).toEqual(['new']);
    expect(await look(true)).toEqual({ id: 'c', status: 'applied', key: lost.key });
    expect(await save(sent)).toEqual({ id: 'c', status: 'applied', key: lost.key });
    expect(await titles()).toEqual(['new']);
  });

  test('whose key belongs to an object with other values is unknown, and the object is not overwritten', async () => {
    const { proxy, session, save, titles, put } = await behindProxy();
    await put('other');
    proxy.decide = (request) => (isPost(request) ? 'reset' : 'pass');
    const doubt = {
      id: 'c',
      status: 'unknown',
      key: { uuid },
      error: {
        code: 'conflict',
        message: `The object ${uuid} exists, but its values differ. It may still be this row`,
        hint: 'Look at the object. If it is this row, discard the staged row. If not, give the staged row another uuid.',
      },
    };
    expect(await save(typed)).toEqual(doubt);
    proxy.decide = () => 'pass';
    const sent = { ...typed, key: { uuid } };
    expect(await session.settleChanges!({ table: 'Lost', changes: [sent] }, call)).toEqual([doubt]);
    expect(await save(sent)).toEqual(doubt);
    expect(await titles()).toEqual(['other']);
  });

  test('is applied if a proxy sent it twice, and the second request got "already exists"', async () => {
    const { proxy, save, titles } = await behindProxy();
    const taken = { status: 422, body: own("id 'x' already exists"), reaches: true };
    proxy.decide = (request) => (isPost(request) ? taken : 'pass');
    expect((await save(untyped)).status).toBe('applied');
    expect(await titles()).toEqual(['new']);
  });

  test('but an answered row whose uuid is taken is a conflict', async () => {
    const { save, put } = await behindProxy();
    await put('other');
    expect(await save(typed)).toMatchObject({ status: 'failed', error: { code: 'conflict' } });
  });
});

describe('a 404 that does not prove that the object is missing', () => {
  const page404 = { status: 404, body: '<html>Not Found</html>', reaches: false };
  const route404 = { status: 404, body: '{"code":404,"message":"path was not found"}', reaches: false };
  const empty404 = { status: 404, body: '', reaches: false };

  test.each([page404, route404])('leaves the outcome unknown: $body', async (answer) => {
    const { proxy, save, titles, put } = await behindProxy();
    proxy.decide = (request) => (isPost(request) ? 'resetAfter' : isObject(request) ? answer : 'pass');
    expect((await save(untyped)).status).toBe('unknown');
    proxy.decide = () => 'pass';
    await put('old');
    proxy.decide = ({ method }) => (method === 'DELETE' ? 'resetAfter' : method === 'GET' ? answer : 'pass');
    // A save reads the schema again, so the schema request must pass.
    const answers404 = proxy.decide;
    proxy.decide = (one) => (one.path === '/v1/schema' ? 'pass' : answers404(one));
    expect((await save(remove)).status).toBe('unknown');
    expect(await titles()).toEqual(['new']);
  });

  test('leaves a new row unknown while a node starts, unless the list of objects has the row', async () => {
    const { proxy, save } = await behindProxy();
    const isStarting = (request: ProxiedRequest) => isObject(request) || isList(request);
    proxy.decide = (request) =>
      isPost(request)
        ? { status: 500, body: own('panic'), reaches: true }
        : isStarting(request)
          ? empty404
          : 'pass';
    expect((await save(untyped)).status).toBe('unknown');
    // Now the list has the object, although the GET of the object is still a 404.
    proxy.decide = (request) =>
      isPost(request)
        ? { status: 500, body: own('panic'), reaches: true }
        : isObject(request)
          ? empty404
          : 'pass';
    expect((await save(untyped)).status).toBe('applied');
  });

  test.each([update, remove])('is not reported as "no longer exists" ($kind)', async (change) => {
    const { proxy, save, titles, put } = await behindProxy();
    await put('old');
    proxy.decide = ({ path }) => (path.includes(uuid) ? page404 : 'pass');
    const outcome = await save(change);
    expect(outcome.error?.message).not.toBe('This object no longer exists');
    expect(outcome.status).not.toBe('applied');
    expect(await titles()).toEqual(['old']);
  });
});
