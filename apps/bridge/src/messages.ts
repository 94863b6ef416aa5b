/** The parameters or the result of a message. Their values are not checked here. */
export type Params = Record<string, unknown>;
export type RpcId = string | number;

export interface RpcRequest {
  jsonrpc: '2.0';
  id: RpcId;
  method: string;
  params?: Params;
}

export interface RpcNotification {
  jsonrpc: '2.0';
  method: string;
  params?: Params;
}

export interface RpcResponse {
  jsonrpc: '2.0';
  id: RpcId;
  result?: Params;
  error?: { code: number; message: string; data?: unknown };
}

export type RpcMessage = RpcRequest | RpcNotification | RpcResponse;

export function isRequest(message: unknown): message is RpcRequest {
  return isObject(message) && typeof message.method === 'string' && isId(message.id);
}

export function isNotification(message: unknown): message is RpcNotification {
  return isObject(message) && typeof message.method === 'string' && message.id === undefined;
}

export function isResponse(message: unknown): message is RpcResponse {
  return isObject(message) && message.method === undefined && isId(message.id);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** 1 and "1" are two ids. */
export function idKey(id: RpcId): string {
  return `${typeof id}:${id}`;
}

export const metaKey = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The protocol revision in the message. Undefined for older clients. */
export function claimedVersion(message: RpcRequest | RpcNotification): string | undefined {
  const meta = message.params?._meta;
  const version = isObject(meta) ? meta[metaKey.protocolVersion] : undefined;
  return typeof version === 'string' ? version : undefined;
}

export function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || typeof value === 'number';
}
