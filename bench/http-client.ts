import { Agent } from 'node:http';
import { handshakePath, mcpPath, modernProtocolVersion, readHandshake } from '@trestle/handshake';
import type { McpResult } from './stdio-client.ts';
import { post } from './trestle.ts';

/** What a client that speaks HTTP itself does: the same message on a connection it keeps. */
export function openHttp(home: string) {
  const reading = readHandshake(handshakePath(home));
  if (!reading.trusted || reading.handshake.state !== 'running')
    throw new Error('The MCP server does not run');
  const { port, token } = reading.handshake;
  const url = new URL(mcpPath, `http://127.0.0.1:${port}`);
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  return {
    async ask(method: string, params: { name?: string }): Promise<McpResult> {
      const message = { jsonrpc: '2.0', id: ++count, method, params: { ...params, _meta: modernMeta } };
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        'mcp-protocol-version': modernProtocolVersion,
        'mcp-method': method,
        ...(params.name !== undefined && { 'mcp-name': params.name }),
      };
      const body = Buffer.from(JSON.stringify(message));
      const text = (await post(url, { agent, headers, body })).toString();
      const json = text.startsWith('{') ? text : /^data: (\{.*"result".*)$/m.exec(text)?.[1];
      const { result } = JSON.parse(json ?? '{}') as { result?: McpResult };
      if (!result || result.isError) throw new Error(`No result: ${text}`);
      return result;
    },
    close: () => agent.destroy(),
  };
}

/** Every message of 2026-07-28 says who sends it. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': modernProtocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
