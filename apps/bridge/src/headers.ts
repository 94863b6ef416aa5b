import { BridgeFailure } from './failures.ts';
import { claimedVersion, type RpcNotification, type RpcRequest } from './messages.ts';

/** The headers that MCP revision 2026-07-28 requires. They repeat parts of the body. */
export function protocolHeaders(message: RpcRequest | RpcNotification): Record<string, string> {
  const name = nameOf(message);
  const version = claimedVersion(message);
  return {
    'Mcp-Method': headerText(message.method),
    ...(version !== undefined && { 'MCP-Protocol-Version': headerText(version) }),
    ...(typeof name === 'string' && { 'Mcp-Name': headerText(name) }),
  };
}

/** The app's listener refuses headers of more than 16 KB (status 431). This limit leaves 8 KB for other headers. */
const mostBytes = 8 * 1024;

export function assertShortHeaders(message: RpcRequest | RpcNotification): void {
  const bytes = Object.values(protocolHeaders(message)).join('').length;
  if (bytes > mostBytes)
    throw new BridgeFailure('bridge', -32602, 'The headers of the call are longer than 8 KB');
}

/** A value that is not valid in a header, or that looks encoded already, is sent as `=?base64?…?=`. */
export function headerText(text: string): string {
  const plain = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return plain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function nameOf({ method, params }: RpcRequest | RpcNotification): unknown {
  if (method === 'tools/call' || method === 'prompts/get') return params?.name;
  if (method === 'resources/read') return params?.uri;
  return undefined;
}
