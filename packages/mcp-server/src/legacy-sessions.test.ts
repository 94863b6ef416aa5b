import { describe, expect, test } from 'vitest';
import { createInstanceFactory } from './instance.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { token } from './testing/fake-core.ts';
import { post } from './testing/post.ts';
import { useTestServer } from './testing/test-server.ts';

const t = useTestServer();

describe('older clients', () => {
  const initialize = (protocolVersion: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  });
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

  test.each(['2025-11-25', '2025-06-18'])('version %s gets an MCP session', async (version) => {
    const opened = await post(t.server.port, initialize(version));
    const session = opened.headers.get('mcp-session-id') ?? '';
    expect(opened.message.result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'trestle' },
    });
    const listed = await post(t.server.port, list, {
      'Mcp-Session-Id': session,
      'MCP-Protocol-Version': version,
    });
    expect(listed.message.result?.tools).toHaveLength(14);
  });

  test.each(['2025-03-26', '2024-11-05'])('version %s is refused', async (version) => {
    const answer = await post(t.server.port, initialize(version));
    expect([
      answer.status,
      answer.message.id,
      answer.message.error?.code,
      answer.message.error?.data,
    ]).toEqual([
      400,
      1,
      -32022,
      { supported: ['2026-07-28', '2025-11-25', '2025-06-18'], requested: version },
    ]);
  });

  test('an MCP session refuses another token, and a header with an unsupported version', async () => {
    const opened = await post(t.server.port, initialize('2025-06-18'));
    const headers = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' };
    t.fake.tokens.set('other', token('token-2'));
    expect((await post(t.server.port, list, { ...headers, Authorization: 'Bearer other' })).status).toBe(404);
    expect(
      (await post(t.server.port, list, { ...headers, 'MCP-Protocol-Version': '2025-03-26' })).status,
    ).toBe(400);
    expect((await post(t.server.port, list)).status).toBe(400);
    expect((await post(t.server.port, list, headers)).status).toBe(200);
  });

  test('a refused initialize gets no MCP session id', async () => {
    const answer = await post(t.server.port, initialize('2025-06-18'), { Accept: 'application/json' });
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([406, null]);
  });

  test('at the limit, a new MCP session replaces the least recently used one; a client with half of the allowed MCP sessions replaces one of its own', async () => {
    const sessions = new LegacySessions(
      createInstanceFactory({
        core: t.fake.core,
        appVersion: '1',
        exportsFolder: t.home,
        deadlineMs: 60_000,
        log: () => {},
      }),
      {
        maxSessions: 4,
      },
    );
    const send = async (body: unknown, id?: string, owner = 'a', during = async () => {}) => {
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(id !== undefined && { 'Mcp-Session-Id': id }),
      };
      const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers });
      const authInfo = { token: '', clientId: 'a', scopes: [] };
      const { response, release } = await sessions.handle({ request, body, authInfo, owner });
      await response.text();
      await during();
      release?.();
      return response;
    };
    const open = async (owner?: string) =>
      (await send(initialize('2025-06-18'), undefined, owner)).headers.get('mcp-session-id') ?? '';
    const other = await open('b');
    const [first, second] = [await open(), await open()];
    expect((await send(list, first)).status).toBe(200);
    const third = await open();
    const statuses = await Promise.all(
      [first, second, third].map(async (id) => (await send(list, id)).status),
    );
    expect(statuses).toEqual([200, 404, 200]);
    expect((await send(list, other, 'b')).status).toBe(200);
    expect(sessions.size).toBe(3);
    for (const owner of 'cd') await open(owner);
    expect(sessions.size).toBe(4);
    expect((await send(list, first)).status).toBe(404);
    // The request to `third` begins before the one to `other`, and ends after it.
    await send(list, third, 'a', async () => void (await send(list, other, 'b')));
    for (const owner of 'efg') await open(owner);
    expect([(await send(list, other, 'b')).status, (await send(list, third)).status]).toEqual([404, 200]);
    await sessions.close();
    expect(sessions.size).toBe(0);
  });
});
