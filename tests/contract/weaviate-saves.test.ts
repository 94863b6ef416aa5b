import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Change, ChangeOutcome, SaveReport, Session } from '@trestle/driver-kit';
import { follow } from '@trestle/driver-kit/testing';
import { startVectorNode } from '@trestle/vector-node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Fate, type HttpProxy, startHttpProxy } from '../faults/http-proxy.ts';
import { connectWeaviate, weaviateRest } from './weaviate-target.ts';

/** Saves on the sample node, behind a proxy that delays or breaks requests. */

const uuidOf = (row: number) => `44444444-4444-4444-8444-${String(row).padStart(12, '0')}`;

async function behindProxy(rows = 3) {
  const node = await startVectorNode();
  onTestFinished(() => node.stop());
  await weaviateRest(node.port, 'POST', '/schema', {
    class: 'Saved',
    vectorizer: 'none',
    properties: [
      { name: 'title', dataType: ['text'] },
      { name: 'at', dataType: ['date'] },
    ],
  });
  for (let row = 0; row < rows; row++) {
    const properties = { title: 'old' };
    await weaviateRest(node.port, 'POST', '/objects', { class: 'Saved', id: uuidOf(row), properties });
  }
  const proxy = await startHttpProxy(node.port);
  onTestFinished(() => proxy.close());
  const session = await connectWeaviate(proxy.port);
  onTestFinished(() => session.close());
  proxy.requests.length = 0;
  const titles = async () => {
    const list = (await weaviateRest(node.port, 'GET', '/objects?class=Saved&limit=100')) as {
      objects: { properties: { title?: string } }[];
    };
    return list.objects.map(({ properties }) => properties.title);
  };
  return { proxy, session, port: node.port, titles };
}

async function saved(
  session: Session,
  changes: Change[],
  options: { signal?: AbortSignal; rowTimeoutMs?: number; onReport?: (report: SaveReport) => void } = {},
) {
  const { signal = new AbortController().signal, rowTimeoutMs = 30_000, onReport } = options;
  const request = { table: 'Saved', changes, rowTimeoutMs };
  return follow(session.applyChanges!(request, { signal }), onReport);
}

const isWrite = ({ method, path }: { method: string; path: string }) =>
  /^(POST|PATCH|DELETE)$/.test(method) && path.startsWith('/v1/objects');

function breakOnce(proxy: HttpProxy, fate: Fate): void {
  proxy.decide = (request) => {
    if (!isWrite(request)) return 'pass';
    proxy.decide = () => 'pass';
    return fate;
  };
}

const update: Change = {
  kind: 'update',
  id: 'c',
  key: { uuid: uuidOf(0) },
  values: { title: 'new', at: '2026-01-02T03:04:05.000Z' },
};
const remove: Change = { kind: 'delete', id: 'c', key: { uuid: uuidOf(0) } };
const typed: Change = { kind: 'insert', id: 'c', values: { uuid: uuidOf(9), title: 'new' } };
const untyped: Change = { kind: 'insert', id: 'c', values: { title: 'new' } };

describe('the outcome of a change whose answer is lost', () => {
  test.each<[string, Change, Fate, Partial<ChangeOutcome>]>([
    ['is applied for an update that the server made', update, 'resetAfter', { status: 'applied' }],
    ['is unknown for an update that did not reach the server', update, 'reset', { status: 'unknown' }],
    ['is applied for a delete that the server made', remove, 'resetAfter', { status: 'applied' }],
    ['is unknown for a delete that did not reach the server', remove, 'reset', { status: 'unknown' }],
    [
      'is applied for a new row that the server stored (with an id)',
      typed,
      'resetAfter',
      { status: 'applied', key: { uuid: uuidOf(9) } },
    ],
    [
      'is unknown for a new row that did not reach the server (with an id)',
      typed,
      'reset',
      { status: 'unknown' },
    ],
    [
      'is applied for a new row that the server stored (without an id)',
      untyped,
      'resetAfter',
      { status: 'applied' },
    ],
    [
      'is unknown for a new row that did not reach the server (without an id)',
      untyped,
      'reset',
      { status: 'unknown' },
    ],
    ['is applied for a stored row whose answer was cut', untyped, 'cut', { status: 'applied' }],
  ])('%s', async (_what, change, fate, expected) => {
    const { proxy, session } = await behindProxy();
    breakOnce(proxy, fate);
    const { outcomes, error } = await saved(session, [change]);
    expect(error).toBeUndefined();
    expect(outcomes.get('c')).toMatchObject({ id: 'c', ...expected });
    if (expected.status !== 'applied') expect(outcomes.get('c')?.error?.message).not.toBe('');
  });

  test('is unknown if the row cannot be read either', async () => {
    const { proxy, session } = await behindProxy();
    let isCut = false;
    proxy.decide = (request) => {
      isCut ||= isWrite(request);
      return isCut ? 'reset' : 'pass';
    };
    const { outcomes } = await saved(session, [update]);
    expect(outcomes.get('c')).toMatchObject({ status: 'unknown' });
  });
});

test('if one row passes its deadline, the other rows are saved', async () => {
  const { proxy, session, titles } = await behindProxy(0);
  proxy.delayMs = 10;
  let writes = 0;
  proxy.decide = (request) => (isWrite(request) && ++writes === 5 ? 'hang' : 'pass');
  const changes = Array.from({ length: 60 }, (_, row): Change => {
    return { kind: 'insert', id: `${row}`, values: { title: `${row}` } };
  });
  const { outcomes } = await saved(session, changes, { rowTimeoutMs: 1_000 });
  const statuses = Array.from(outcomes.values(), ({ status }) => status).sort();
  expect(statuses).toEqual([...Array.from({ length: 59 }, () => 'applied'), 'unknown']);
  const unknown = Array.from(outcomes.values()).find(({ status }) => status === 'unknown');
  expect(unknown?.error).toMatchObject({
    code: 'timeout',
    message: 'Sent, but the answer never came: No answer within 1 second',
  });
  expect(await titles()).toHaveLength(59);
});

test('at most eight requests run at a time', async () => {
  const { proxy, session } = await behindProxy(0);
  let inFlight = 0;
  let most = 0;
  const changes = Array.from({ length: 100 }, (_, row): Change => {
    return { kind: 'insert', id: `${row}`, values: { title: `${row}` } };
  });
  proxy.delayMs = 5;
  const { outcomes } = await saved(session, changes, {
    onReport: (report) => {
      inFlight += report.sent.length - report.outcomes.length;
      most = Math.max(most, inFlight);
    },
  });
  expect([outcomes.size, most]).toEqual([100, 8]);
});

test('a cancel ends the save before the last row, and every sent row has an outcome', async () => {
  const { proxy, session, titles } = await behindProxy(0);
  proxy.delayMs = 20;
  const changes = Array.from({ length: 200 }, (_, row): Change => {
    return { kind: 'insert', id: `${row}`, values: { title: `${row}` } };
  });
  const controller = new AbortController();
  const { sent, outcomes, details } = await saved(session, changes, {
    signal: controller.signal,
    onReport: ({ outcomes: some }) => {
      if (some.length > 0) setTimeout(() => controller.abort(), 30);
    },
  });
  expect(details?.code).toBe('cancelled');
  expect([...outcomes.keys()].sort()).toEqual([...sent].sort());
  const applied = changes.filter(({ id }) => outcomes.get(id)?.status === 'applied').map(({ id }) => id);
  expect(applied.length).toBeGreaterThan(0);
  expect(applied.length).toBeLessThan(200);
  expect((await titles()).sort()).toEqual(applied.sort());
});

test('a cancel after the report of a row and before its request: no write is sent, and the save ends as cancelled', async () => {
  const { proxy, session } = await behindProxy();
  const controller = new AbortController();
  const { sent, outcomes, details } = await saved(session, [update, { ...remove, id: 'd' }], {
    signal: controller.signal,
    onReport: () => controller.abort(),
  });
  expect([...sent]).toEqual(['c']);
  expect([...outcomes.values()]).toMatchObject([{ id: 'c', status: 'failed', error: { code: 'cancelled' } }]);
  expect(details).toMatchObject({ code: 'cancelled', message: 'Not sent: the save was cancelled' });
  expect(proxy.requests.filter(isWrite)).toEqual([]);
});

test('if the server no longer answers, a save sends at most 16 rows and reports the rest as failed', async () => {
  const { proxy, session } = await behindProxy(0);
  proxy.decide = (request) => (request.path.startsWith('/v1/objects') ? 'hang' : 'pass');
  const changes = Array.from({ length: 10_000 }, (_, row): Change => {
    return { kind: 'insert', id: `${row}`, values: { title: `${row}` } };
  });
  const { sent, outcomes, error } = await saved(session, changes, { rowTimeoutMs: 300 });
  expect(error).toBeUndefined();
  expect(sent.size).toBeLessThanOrEqual(16);
  const count = (status: string) =>
    Array.from(outcomes.values()).filter((one) => one.status === status).length;
  expect([count('unknown'), count('failed')]).toEqual([sent.size, 10_000 - sent.size]);
  expect(outcomes.get('9999')?.error?.message).toMatch(/^Not sent, since the server no longer answers: /);
});

test('after the server refuses the API key, later rows are not sent, and their outcomes say why', async () => {
  const { proxy, session } = await behindProxy(0);
  const body = JSON.stringify({ code: 401, message: 'unauthorized: invalid api key' });
  proxy.decide = (request) =>
    request.path.startsWith('/v1/objects') ? { status: 401, body, reaches: false } : 'pass';
  const changes = Array.from({ length: 100 }, (_, row): Change => {
    return { kind: 'insert', id: `${row}`, values: { title: `${row}` } };
  });
  const { sent, outcomes } = await saved(session, changes);
  expect(sent.has('99')).toBe(false);
  expect(outcomes.get('0')?.error?.message).toBe('Authentication failed: unauthorized: invalid api key');
  expect(outcomes.get('99')?.error?.message).toBe(
    'Not sent, since the server refuses the key: Authentication failed: unauthorized: invalid api key',
  );
});

test('if the socket for a row cannot be opened, the outcome is failed, not unknown', async () => {
  // Each answer closes its socket, so that a write needs a new socket.
  const server = createServer((request, response) => {
    const schema = { classes: [{ class: 'Saved', properties: [{ name: 'title', dataType: ['text'] }] }] };
    const body = request.url === '/v1/meta' ? { version: '1.39.0' } : schema;
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const session = await connectWeaviate((server.address() as AddressInfo).port);
  onTestFinished(() => session.close());
  const request = { table: 'Saved', changes: [untyped], rowTimeoutMs: 30_000 };
  const reports = session.applyChanges!(request, { signal: new AbortController().signal });
  const seen: SaveReport[] = [];
  for await (const report of reports) {
    seen.push(report);
    if (report.sent.length > 0) await new Promise((resolve) => server.close(resolve));
  }
  expect(seen).toMatchObject([
    { sent: ['c'], outcomes: [] },
    { sent: [], outcomes: [{ id: 'c', status: 'failed', error: { code: 'connection_failed' } }] },
  ]);
});
