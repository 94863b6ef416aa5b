import type { OwnText } from '@trestle/core';

/** JSON-RPC error codes: the protocol's own, then ours. */
export const rpcCode = {
  parse: -32700,
  invalidRequest: -32600,
  invalidParams: -32602,
  unsupportedVersion: -32022,
  server: -33000,
  session: -33001,
  cancelled: -33002,
  timeout: -33003,
  tooLarge: -33005,
  forbidden: -33007,
  tokenExpired: -33008,
  unauthenticated: -33009,
  rateLimited: -33010,
} as const;

interface RpcFailure {
  status: number;
  code: number;
  message: OwnText;
  data?: unknown;
  headers?: Record<string, string>;
  /** The id of the request, if it could be read. */
  id?: string | number;
}

/** An error answer that does not come from the SDK: an HTTP status with a JSON-RPC error as body. */
export function rpcFailure({ status, code, message, data, headers, id }: RpcFailure): Response {
  const error = { code, message: message.toString(), ...(data !== undefined && { data }) };
  return Response.json({ jsonrpc: '2.0', id: id ?? null, error }, { status, headers });
}

/** The id of a request, for refusals after its body was read. */
export function requestId(body: unknown): string | number | undefined {
  if (typeof body !== 'object' || body === null || !('id' in body)) return undefined;
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : undefined;
}
