import { Agent } from 'node:http';
import { join } from 'node:path';
import {
  bridgeProcessHeader,
  handshakePath,
  mcpPath,
  modernProtocolVersion,
  readHandshake,
} from '@trestle/handshake';
import { legacyHello, type McpResult } from './stdio-client.ts';
import type { StdioCommand } from './stdio-command.ts';
import { post } from './trestle.ts';

export interface HttpClient {
  ask(method: string, params: { name?: string }): Promise<McpResult>;
  close(): void;
}

/** A client without a bridge: it sends its messages over HTTP itself, on a kept-alive connection. */
export function openHttp(home: string): HttpClient {
  const endpoint = readEndpoint(home);
  return client(endpoint, (method, params) => ({
    headers: requestHeaders(endpoint.token, method, params.name),
    params: { ...params, _meta: modernMeta },
  }));
}

/** A client without a bridge in the previous protocol version. After `initialize`, its messages name the MCP session. */
export async function openLegacyHttp(home: string): Promise<HttpClient> {
  const endpoint = readEndpoint(home);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${endpoint.token}`,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: legacyHello });
  const opened = await fetch(urlOf(endpoint), { method: 'POST', headers, body });
  resultOf(await opened.text());
  const named = {
    ...headers,
    'mcp-protocol-version': legacyHello.protocolVersion,
    'mcp-session-id': opened.headers.get('mcp-session-id') ?? '',
  };
  return client(endpoint, (_method, params) => ({ headers: named, params }));
}

function client(
  endpoint: Endpoint,
  dress: (method: string, params: { name?: string }) => { headers: Record<string, string>; params: object },
): HttpClient {
  const url = urlOf(endpoint);
  const agent = new Agent({ keepAlive: true });
  let count = 0;
  return {
    async ask(method, given) {
      const { headers, params } = dress(method, given);
      const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: ++count, method, params }));
      return resultOf((await post(url, { agent, headers, body })).toString());
    },
    close: () => agent.destroy(),
  };
}

/** A process that does the least that a bridge can do. It shows how much time any bridge adds on this machine. */
export function bareRelay(home: string, tool: string): StdioCommand {
  const { port, path, token } = readEndpoint(home);
  // With this header, the relay counts as a separate client. Without the header, the relay would share a rate limit with
  // the direct calls, which have used up most of the limit.
  const headers = { ...requestHeaders(token, 'tools/call', tool), [bridgeProcessHeader]: 'bare-relay' };
  return {
    command: process.execPath,
    args: [join(import.meta.dirname, 'bare-relay.mjs')],
    env: { RELAY_PORT: String(port), RELAY_PATH: path, RELAY_HEADERS: JSON.stringify(headers) },
  };
}

interface Endpoint {
  port: number;
  path: string;
  token: string;
}

function urlOf({ port, path }: Endpoint): URL {
  return new URL(path, `http://127.0.0.1:${port}`);
}

/** The MCP address of the app with this data directory, read as the bridge reads it. */
function readEndpoint(home: string): Endpoint {
  const reading = readHandshake(handshakePath(home));
  if (!reading.trusted || reading.handshake.state !== 'running')
    throw new Error('The MCP server is not running');
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

/** Reads an answer: plain JSON, or server-sent events. */
export function resultOf(text: string): McpResult {
  const json = text.startsWith('{') ? text : /^data: (\{.*"result".*)$/m.exec(text)?.[1];
  const { result } = JSON.parse(json ?? '{}') as { result?: McpResult };
  if (!result || result.isError) throw new Error(`No result: ${text}`);
  return result;
}

/** In protocol version 2026-07-28, every message names its sender. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': modernProtocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
