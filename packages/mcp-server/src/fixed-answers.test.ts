import { expect, test } from 'vitest';
import { type Answer, post } from './testing/post.ts';
import { useTestServer } from './testing/test-server.ts';

const t = useTestServer();

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'probe', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function list(
  id: unknown,
  params: object = { _meta },
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/list', ...headers };
  return post(t.server.port, { jsonrpc: '2.0', id, method: 'tools/list', params }, sent);
}

test('a list asked for again is the same, with the id of its own request', async () => {
  const first = await list(1);
  expect(first.message.result?.tools).toHaveLength(18);
  for (const id of [2, 'text', '"}', '']) {
    const again = await list(id);
    expect(again.message).toEqual({ ...first.message, id });
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  }
});

test('what the protocol layer refuses is refused after a list that it gave, too', async () => {
  const refused = [
    () => list(1.5),
    () => list(2, { _meta, cursor: 'made-up' }),
    () => list(3, { _meta }, { 'Mcp-Method': 'prompts/list' }),
    () => list(4, { _meta }, { 'MCP-Protocol-Version': '2025-03-26' }),
    () => list(5, { _meta }, { Authorization: 'Bearer wrong' }),
    () => list(6, { _meta: { ..._meta, 'io.modelcontextprotocol/clientCapabilities': 'none' } }),
  ];
  const ask = async () => {
    const answers: unknown[] = [];
    for (const one of refused) {
      const { status, message } = await one();
      answers.push([status, message.error?.code]);
    }
    return answers;
  };
  const before = await ask();
  expect((await list(7)).message.result).toBeDefined();
  expect((await list(8)).message.result).toBeDefined();
  expect(await ask()).toEqual(before);
  expect(before.every((answer) => (answer as unknown[])[1] !== undefined)).toBe(true);
});
