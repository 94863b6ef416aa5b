import { describe, expect, test } from 'vitest';
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

  test.each(['2025-11-25', '2025-06-18'])('%s gets a session', async (version) => {
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
    expect(listed.message.result?.tools).toHaveLength(4);
  });

  test.each(['2025-03-26', '2024-11-05'])('%s is refused', async (version) => {
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

  test("a session is closed to another token, and to another version's header", async () => {
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
});
