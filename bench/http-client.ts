import { Agent } from 'node:http';
import { handshakePath, mcpPath, modernProtocolVersion, readHandshake } from '@trestle/handshake';
import type { McpResult } from './stdio-client.ts';
import { post } from './trestle.ts';

/** What a client that speaks HTTP itself does: the same message on a connection it keeps. */
export function openHttp(home: string) {
  const { port, path, token } = readEndpoint(home);
  const url = new URL(path, `http://127.0.0.1:${port}`);
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  return {
    async ask(method: string, params: { name?: string }): Promise<McpResult> {
      const message = { jsonrpc: '2.0', id: ++count, method, params: { ...params, _meta: modernMeta } };
      const headers = requestHeaders(token, method, params.name);
      const body = Buffer.from(JSON.stringify(message));
      return resultOf((await post(url, { agent, headers, body })).toString());
    },
    close: () => agent.destroy(),
  };
}

/** Where the app of this data directory serves MCP, as a bridge learns it. */
export function readEndpoint(home: string): { port: number; path: string; token: string } {
  const reading = readHandshake(handshakePath(home));
  if (!reading.trusted || reading.handshake.state !== 'running')
    throw new Error('The MCP server does not run');
  const { port, token } = reading.handshake;
  return { port, path: mcpPath, token };
}

export function requestHeaders(token: string, method: string, name?: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    'mcp-protocol-version': modernProtocolVersion,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  };
}

/** Of an answer in one piece, or as an event where it took longer. */
export function resultOf(text: string): McpResult {
  const json = text.startsWith('{') ? text : /^data: (\{.*"result".*)$/m.exec(text)?.[1];
  const { result } = JSON.parse(json ?? '{}') as { result?: McpResult };
  if (!result || result.isError) throw new Error(`No result: ${text}`);
  return result;
}

/** Every message of 2026-07-28 says who sends it. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': modernProtocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
