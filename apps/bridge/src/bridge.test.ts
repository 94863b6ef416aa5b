import { expect, test } from 'vitest';
import { Bridge } from './bridge.ts';
import type { Call } from './call.ts';
import type { Exchange } from './delivery.ts';
import { isObject, type Params, type RpcMessage, type RpcRequest } from './messages.ts';
import type { Upstream } from './upstream.ts';

/** A bridge to an app that answers as the test says. `written` reached the client, `sent` reached the app. */
function bridgeTo(app: (request: RpcRequest, exchange: Exchange) => Params | Promise<Params>) {
  const written: RpcMessage[] = [];
  const sent: RpcRequest[] = [];
  const upstream = {
    async send(exchange: Exchange) {
      const request = exchange.message as RpcRequest;
      sent.push(request);
      const result = await app(request, exchange);
      exchange.onMessage({ jsonrpc: '2.0', id: request.id, result });
    },
  } as unknown as Upstream;
  const bridge = new Bridge({
    upstream,
    write: (json) => written.push(JSON.parse(json) as RpcMessage),
    report: () => {},
  });
  const say = (message: object) => bridge.receiveLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
  return { bridge, written, sent, say };
}

const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {} },
};

test('an older client gets the questions of the app, and its answers reach the app in a request with a new id', async () => {
  const { written, sent, say } = bridgeTo((request) =>
    request.params?.inputResponses
      ? { content: [], resultType: 'complete' }
      : {
          resultType: 'input_required',
          inputRequests: { name: { method: 'elicitation/create', params: { message: 'Your name?' } } },
          requestState: 'opaque',
        },
  );
  say({ id: 5, method: 'tools/call', params: { name: 'greet' } });
  await expect.poll(() => written.length).toBe(1);
  const [question] = written as [RpcRequest];
  expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Your name?' } });
  say({ id: question.id, result: { action: 'accept', content: { name: 'Ada' } } });
  await expect.poll(() => written.length).toBe(2);
  expect(written[1]).toEqual({ jsonrpc: '2.0', id: 5, result: { content: [] } });
  expect(sent).toHaveLength(2);
  expect(sent[1]?.id).not.toBe(sent[0]?.id);
  expect(sent[1]?.params).toMatchObject({
    name: 'greet',
    requestState: 'opaque',
    inputResponses: { name: { action: 'accept', content: { name: 'Ada' } } },
  });
});

test('a call that is cancelled during a question is not continued, and not answered', async () => {
  const inputRequests = { name: { method: 'elicitation/create', params: {} } };
  const { written, sent, say } = bridgeTo((request) =>
    request.params?.name === 'greet' ? { resultType: 'input_required', inputRequests } : { content: [] },
  );
  say({ id: 5, method: 'tools/call', params: { name: 'greet' } });
  await expect.poll(() => written.length).toBe(1);
  const [question] = written as [RpcRequest];
  say({ method: 'notifications/cancelled', params: { requestId: 5 } });
  say({ id: question.id, result: { action: 'accept' } });
  say({ id: 6, method: 'tools/call', params: { name: 'other' } });
  await expect.poll(() => written.length).toBe(3);
  expect(written.slice(1)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: question.id } },
    { jsonrpc: '2.0', id: 6, result: { content: [] } },
  ]);
  expect(sent.map(({ id }) => id)).toEqual([5, 6]);
});

test('a cancellation whose requestId is neither a text nor a number is ignored', async () => {
  const { written, say } = bridgeTo(() => ({ content: [] }));
  say({ method: 'notifications/cancelled', params: { requestId: { toString: 1 } } });
  say({ id: 6, method: 'tools/call', params: { name: 'other' } });
  await expect.poll(() => written).toEqual([{ jsonrpc: '2.0', id: 6, result: { content: [] } }]);
});

test('if the client refuses one of several questions, the others are cancelled and the call fails', async () => {
  const ask = { method: 'elicitation/create', params: {} };
  const inputRequests = { name: ask, age: ask };
  const { written, sent, say } = bridgeTo(() => ({ resultType: 'input_required', inputRequests }));
  say({ id: 5, method: 'tools/call', params: { name: 'greet' } });
  await expect.poll(() => written.length).toBe(2);
  const [name, age] = written as [RpcRequest, RpcRequest];
  say({ id: age.id, error: { code: -1, message: 'No' } });
  await expect.poll(() => written.length).toBe(4);
  expect(written.slice(2)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: name.id } },
    expect.objectContaining({ id: 5, error: expect.anything() }),
  ]);
  say({ id: name.id, result: { action: 'accept' } });
  expect(sent).toHaveLength(1);
});

test('if an older client subscribes to a resource, the bridge replaces its own subscription with one that covers the resource', async () => {
  const listening: Exchange[] = [];
  const { bridge, written, sent, say } = bridgeTo((request, exchange) => {
    if (request.method === 'server/discover') return { capabilities: { tools: { listChanged: true } } };
    if (request.method !== 'subscriptions/listen') return {};
    listening.push(exchange);
    return new Promise((_, reject) => {
      exchange.call.onCancel = () => reject(new Error('Cancelled'));
    });
  });
  say(initialize);
  await expect.poll(() => listening.length).toBe(1);
  const _meta = { 'io.modelcontextprotocol/subscriptionId': 'trestle-listen-1' };
  const note = (method: string) => listening[0]?.onMessage({ jsonrpc: '2.0', method, params: { _meta } });
  note('notifications/subscriptions/acknowledged');
  note('notifications/tools/list_changed');
  expect(written.slice(1)).toEqual([
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} },
  ]);

  say({ id: 2, method: 'resources/subscribe', params: { uri: 'trestle://connections' } });
  await expect.poll(() => listening.length).toBe(2);
  expect(listening[0]?.call.isCancelled).toBe(true);
  expect(sent.at(-1)?.params?.notifications).toEqual({
    toolsListChanged: true,
    resourceSubscriptions: ['trestle://connections'],
  });
  bridge.close();
  expect(listening[1]?.call.isCancelled).toBe(true);
});

test('notifications of a call reach the client before the answer to the call', async () => {
  const { written, say } = bridgeTo((request, exchange) => {
    const meta = request.params?._meta;
    const progressToken = isObject(meta) ? meta.progressToken : undefined;
    const params = { progressToken, progress: 1 };
    exchange.onMessage({ jsonrpc: '2.0', method: 'notifications/progress', params });
    return { content: [] };
  });
  say({ id: 1, method: 'tools/call', params: { name: 'slow', _meta: { progressToken: 'p' } } });
  await expect.poll(() => written.length).toBe(2);
  expect(written).toEqual([
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 'p', progress: 1 } },
    { jsonrpc: '2.0', id: 1, result: { content: [] } },
  ]);
});

test('cancelling request 1 cancels it upstream, but not request "1", and the client gets no answer to request 1', async () => {
  const calls: Call[] = [];
  const held = Promise.withResolvers<Params>();
  const { written, say } = bridgeTo((_, exchange) => {
    calls.push(exchange.call);
    return held.promise;
  });
  say({ id: '1', method: 'tools/call', params: { name: 'slow' } });
  say({ id: 1, method: 'tools/call', params: { name: 'slow' } });
  say({ method: 'notifications/cancelled', params: { requestId: 1 } });
  expect(calls.map((call) => call.isCancelled)).toEqual([false, true]);
  held.resolve({ content: [] });
  await expect.poll(() => written.length).toBe(1);
  expect(written[0]).toMatchObject({ id: '1' });
});
