import {
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server';
import { type OwnText, own } from '@trestle/core';
import type { HeaderReader } from './incoming.ts';
import { requestId, rpcCode, rpcFailure } from './rpc.ts';

/** Refuses a request before its sender is identified. Undefined: the request may continue. */
export function refuseRequest(request: { method: string; headers: HeaderReader }): Response | undefined {
  if (request.method !== 'POST') {
    return rpcFailure({
      status: 405,
      code: rpcCode.server,
      message: own`This endpoint takes POST only; notifications come on the response to a request.`,
      headers: { Allow: 'POST' },
    });
  }
  // With DNS rebinding, a web page can call 127.0.0.1 under the page's host name. Host and Origin reveal that name.
  const host = validateHostHeader(request.headers.get('host'), localhostAllowedHostnames());
  if (!host.ok) return rpcFailure({ status: 403, code: rpcCode.forbidden, message: foreignHost });
  const origin = validateOriginHeader(request.headers.get('origin'), localhostAllowedOrigins());
  if (!origin.ok) return rpcFailure({ status: 403, code: rpcCode.forbidden, message: foreignOrigin });
  return undefined;
}

const foreignHost = own`Host must be localhost, 127.0.0.1 or [::1]`;
const foreignOrigin = own`Origin must be a page of this machine`;

type Body = { ok: true; body: unknown } | { ok: false; response: Response };

/** Reads the body, which must be JSON, one message and within the size limit. Otherwise returns the refusal. */
export async function readBody(request: UnreadRequest, maxBytes: number): Promise<Body> {
  if (!isJsonContentType(request.headers.get('content-type'))) {
    return refuse(415, rpcCode.invalidRequest, own`Content-Type must be application/json`);
  }
  // If the read fails, the body was cut off, and its sender no longer reads the answer.
  const text = await request.readText(maxBytes).catch(() => '');
  if (text === undefined)
    return refuse(413, rpcCode.tooLarge, own`The request is larger than ${maxBytes} bytes`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refuse(400, rpcCode.parse, own`The request body is not JSON`);
  }
  if (Array.isArray(body))
    return refuse(400, rpcCode.invalidRequest, own`Batches are not part of the protocol`);
  return { ok: true, body };
}

interface UnreadRequest {
  headers: HeaderReader;
  readText(maxBytes: number): Promise<string | undefined>;
}

/** Every list has one page, so the server never issued a cursor. The SDK would ignore an invented one. */
export function refuseCursor(body: unknown): Response | undefined {
  const message = body as { id?: unknown; method?: unknown; params?: { cursor?: unknown } | null } | null;
  if (typeof message?.method !== 'string' || !listMethods.has(message.method)) return undefined;
  if (message.params?.cursor === undefined) return undefined;
  const id = requestId(body);
  return rpcFailure({ status: 200, code: rpcCode.invalidParams, message: own`There is no such cursor`, id });
}

const listMethods = new Set(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']);

function refuse(status: number, code: number, message: OwnText): Body {
  return { ok: false, response: rpcFailure({ status, code, message }) };
}
