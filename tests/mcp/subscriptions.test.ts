import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { ConnectionDraft } from '@trestle/core';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { rawClient } from './raw-client.ts';
import { type RunningServer, runServer } from './running-server.ts';

let running: RunningServer;
beforeEach(async () => {
  running = await runServer();
});
afterEach(() => running.close());

interface Note {
  method?: string;
  result?: unknown;
  params?: { uri?: string; notifications?: object; _meta?: Record<string, unknown> };
}

/** One `subscriptions/listen` request, and the messages that it received. */
async function listen(token: string, notifications: object) {
  const controller = new AbortController();
  const response = await fetch(`http://127.0.0.1:${running.server.port}/mcp`, {
    method: 'POST',
    signal: controller.signal,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 'listen-1',
      method: 'subscriptions/listen',
      params: {
        notifications,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  const notes: Note[] = [];
  let hasEnded = false;
  const reading = (async () => {
    const lines = createInterface(Readable.fromWeb(response.body as ReadableStream));
    for await (const line of lines) {
      if (line.startsWith('data: ')) notes.push(JSON.parse(line.slice(6)) as Note);
    }
  })()
    .catch(() => {})
    .finally(() => {
      hasEnded = true;
    });
  onTestFinished(async () => {
    controller.abort();
    await reading;
  });
  const heard = () =>
    notes
      .filter((note) => note.method !== 'notifications/subscriptions/acknowledged')
      .map(({ method, params }) => params?.uri ?? method?.replace('notifications/', ''));
  return { status: response.status, notes, heard, ended: () => hasEnded, close: () => controller.abort() };
}

const of = (id: string, part: string) => `trestle://connections/${id}/${part}`;
const draft = (changes: Partial<ConnectionDraft>): ConnectionDraft => ({
  name: 'New',
  driver: 'sqlite',
  fields: { file: `${running.home}/planets.db` },
  externalClients: 'readWrite',
  aiPolicy: 'alwaysAllow',
  safeMode: 'off',
  color: null,
  ...changes,
});

test('changes of the list of connections and of the schema are sent, with the id of the subscription', async () => {
  const { id } = running.connections.open;
  const uris = ['trestle://connections', of(id, 'tables'), of('Open', 'tables/planets'), of(id, 'history')];
  const stream = await listen(running.token, { resourcesListChanged: true, resourceSubscriptions: uris });
  await expect.poll(() => stream.notes.length).toBe(1);
  expect(stream.notes[0]?.params?.notifications).toEqual({
    resourcesListChanged: true,
    resourceSubscriptions: uris,
  });
  await running.core.connections.create(draft({ name: 'One more' }));
  await expect.poll(() => stream.heard().length).toBe(2);
  expect(stream.heard()).toEqual(['resources/list_changed', 'trestle://connections']);
  const client = rawClient(running);
  await client.call('execute_query', { connection_id: id, query: 'CREATE TABLE moons (name TEXT)' });
  await expect.poll(stream.heard).toContain(of(id, 'history'));
  expect(stream.heard()).toEqual(expect.arrayContaining([of(id, 'tables'), of('Open', 'tables/planets')]));
  for (const { params } of stream.notes) {
    expect(params?._meta?.['io.modelcontextprotocol/subscriptionId']).toBe('listen-1');
  }
});

test('a connection that a token may not see sends no events, and one that is hidden later stops sending them', async () => {
  const { open, readOnly, blocked } = running.connections;
  const { secret } = running.createToken({ allowlist: [open.id] });
  const resourceSubscriptions = [
    'trestle://connections',
    of(readOnly.id, 'tables'),
    of(blocked.id, 'tables'),
    of('Blocked', 'history'),
    of(open.id, 'tables'),
  ];
  const stream = await listen(secret, { resourcesListChanged: true, resourceSubscriptions });
  const refused = () =>
    running.core.activity
      .list({ limit: 9 })
      .filter(({ action, outcome }) => action === 'subscribe' && outcome === 'denied')
      .map(({ connectionId }) => connectionId);
  await expect.poll(refused).toHaveLength(2);
  expect(new Set(refused())).toEqual(new Set([readOnly.id, blocked.id]));
  await running.core.connections.create(draft({ name: 'Not for it' }));
  const person = { caller: { kind: 'person' as const }, signal: new AbortController().signal };
  const change = (connectionId: string, name: string) =>
    running.core.data.runQuery({ ...person, connectionId }, { text: `CREATE TABLE ${name} (a)`, limit: 1 });
  await change(readOnly.id, 'one');
  await change(blocked.id, 'two');
  await change(open.id, 'three');
  await expect.poll(stream.heard).toContain(of(open.id, 'tables'));
  expect(new Set(stream.heard())).toEqual(new Set(['trestle://connections', of(open.id, 'tables')]));
  await running.core.connections.update(open.id, draft({ name: 'Open', externalClients: 'blocked' }));
  await expect.poll(stream.heard).toContain('resources/list_changed');
  const before = stream.heard().length;
  await change(open.id, 'four');
  const witness = await listen(running.token, { resourceSubscriptions: [of(readOnly.id, 'tables')] });
  await change(readOnly.id, 'five');
  await expect.poll(witness.heard).not.toEqual([]);
  expect(stream.heard().length).toBe(before);
});

test('a connection that asks the user first sends no events until the user has approved a call', async () => {
  const { asks, open } = running.connections;
  const { id, secret } = running.createToken();
  const resourceSubscriptions = [of(asks.id, 'history'), of(open.id, 'history')];
  const stream = await listen(secret, { resourceSubscriptions });
  const signal = new AbortController().signal;
  const run = (connectionId: string) =>
    running.core.data.runQuery(
      { caller: { kind: 'person' }, connectionId, signal },
      { text: 'SELECT 1', limit: 1 },
    );
  await run(asks.id);
  await run(open.id);
  await expect.poll(() => stream.heard().length).toBeGreaterThan(0);
  expect(stream.heard()).toEqual([of(open.id, 'history')]);
  const list = await listen(secret, { resourceSubscriptions: ['trestle://connections'] });
  running.core.approvals.setPresence('window');
  const token = { kind: 'user' as const, id, name: 'any', permission: 'readOnly' as const, allowlist: null };
  const caller = { kind: 'client' as const, token, clientName: 'unknown client', process: null };
  const admitted = running.core.sessions.admit({ caller, connectionId: asks.id, signal }, 'history');
  await expect.poll(() => running.core.approvals.pending().length).toBe(1);
  running.core.approvals.answer(running.core.approvals.pending()[0]?.id ?? '', 'allow');
  await admitted;
  await run(asks.id);
  await expect.poll(() => stream.heard()).toContain(of(asks.id, 'history'));
  await expect.poll(() => list.heard().length).toBe(1);
  // The list changes again: the state of the connection is back to "asks the user at first use".
  running.core.approvals.withdraw(running.core.approvals.granted()[0]?.id ?? '');
  await expect.poll(list.heard).toEqual(['trestle://connections', 'trestle://connections']);
});

test('revoking a token ends its streams and no other streams', async () => {
  const { id, secret } = running.createToken();
  const doomed = await listen(secret, { resourcesListChanged: true });
  const other = await listen(running.token, { resourcesListChanged: true });
  await expect.poll(() => doomed.notes.length + other.notes.length).toBe(2);
  running.core.tokens.revoke(id);
  await expect.poll(doomed.ended).toBe(true);
  expect(other.ended()).toBe(false);
  await running.core.connections.create(draft({}));
  await expect.poll(other.heard).not.toEqual([]);
});

test('when the server stops, its subscriptions end with a result', async () => {
  const stream = await listen(running.token, { resourcesListChanged: true });
  await expect.poll(() => stream.notes.length).toBe(1);
  await running.restart();
  await expect.poll(stream.ended).toBe(true);
  expect(stream.notes.at(-1)?.result).toMatchObject({ resultType: 'complete' });
});

test('a token has at most sixteen subscriptions at once; closing one frees its slot', async () => {
  const streams = await Promise.all(
    Array.from({ length: 16 }, () => listen(running.token, { resourcesListChanged: true })),
  );
  const refused = await listen(running.token, { resourcesListChanged: true });
  expect(refused.status).toBe(429);
  expect((await rawClient(running).call('list_connections')).isError).toBe(false);
  streams[0]?.close();
  await expect
    .poll(async () => (await listen(running.token, { resourcesListChanged: true })).status)
    .toBe(200);
});
