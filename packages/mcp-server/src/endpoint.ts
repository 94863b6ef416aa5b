import { createMcpHandler, isLegacyRequest, type McpServerFactory } from '@modelcontextprotocol/server';
import { challengeHeader, isChallenge, mcpPath, proofHeader, proofPath } from '@trestle/handshake';
import type { Authentication } from './auth/bearer.ts';
import { type Principal, principalKey, toAuthInfo } from './auth/principal.ts';
import type { Clients } from './clients.ts';
import type { FixedAnswers } from './fixed-answers.ts';
import { readBody, refuseCursor, refuseRequest } from './guards.ts';
import { LegacySessions } from './legacy-sessions.ts';
import type { Limits } from './limits.ts';
import type { RefusalLog } from './refusal-log.ts';
import { rpcCode, rpcFailure } from './rpc.ts';
import type { Subscriptions } from './subscriptions.ts';
import { tools } from './tools/index.ts';
import { whenSent } from './when-sent.ts';

export interface EndpointOptions {
  factory: McpServerFactory;
  authenticate: (request: Request) => Authentication;
  limits: Limits;
  refusals: RefusalLog;
  subscriptions: Subscriptions;
  clients: Clients;
  /** Absent where fixtures come and go. */
  fixedAnswers?: FixedAnswers | undefined;
  maxBodyBytes: () => number;
  /** Answers a bridge's challenge under the handshake's secret. */
  prove: (challenge: string) => string;
  log: (message: string) => void;
}

export interface Endpoint {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** One endpoint, both eras: the guards in their order, then whichever of the two speaks the client's version. */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { factory, limits, refusals, subscriptions, fixedAnswers, log } = options;
  const onerror = (error: Error) => log(`MCP: ${error.message}`);
  const shared = { legacy: 'reject', bus: subscriptions, maxSubscriptions: 256, onerror } as const;
  const modern = createMcpHandler(factory, shared);
  // Headers go out at once: a client must not take a long query for a dead server.
  const streaming = createMcpHandler(factory, { ...shared, responseMode: 'sse' });
  const legacy = new LegacySessions(factory);

  async function serve(request: Request): Promise<Response> {
    const refusal = refuseRequest(request);
    if (refusal) return refusal;
    const { pathname } = new URL(request.url);
    if (pathname === proofPath) return answerChallenge(request, options.prove);
    if (pathname !== mcpPath) {
      return rpcFailure({ status: 404, code: rpcCode.server, message: `The endpoint is ${mcpPath}` });
    }
    const authentication = options.authenticate(request);
    if (!authentication.ok) return authentication.response;
    const { principal } = authentication;
    const admission = limits.admit(principalKey(principal));
    if (!admission.ok) return limited(principal, admission);
    const use = { principal, admission, endings: [admission.release] };
    const end = () => {
      for (const ending of use.endings) ending();
    };
    try {
      return whenSent(await dispatch(request, use), end);
    } catch (error) {
      end();
      throw error;
    }
  }

  async function dispatch(request: Request, { principal, admission, endings }: Use): Promise<Response> {
    const read = await readBody(request, options.maxBodyBytes());
    if (!read.ok) return read.response;
    const { body } = read;
    endings.push(options.clients.saw(principal, request, body));
    const fixed = fixedAnswers?.find(request, body);
    if (fixed) return fixed;
    const authInfo = toAuthInfo(principal);
    const owner = principalKey(principal);
    if (await isLegacyRequest(request, body)) {
      return refuseCursor(body) ?? legacy.handle({ request, body, authInfo, owner });
    }
    const uris = listenUris(body);
    if (!uris) {
      const handler = mayTakeLong(body) ? streaming : modern;
      const refusal = refuseCursor(body);
      if (refusal) return refusal;
      const response = await handler.fetch(request, { authInfo, parsedBody: body });
      return fixedAnswers?.keep(request, body, response) ?? response;
    }
    const listening = limits.listen(owner);
    if (!listening.ok) return limited(principal, listening);
    endings.push(listening.release);
    admission.release();
    return subscriptions.open(principal, uris, (ended) =>
      modern.fetch(withSignal(request, ended), { authInfo, parsedBody: body }),
    );
  }

  function limited(principal: Principal, refusal: { reason: string; response: Response }): Response {
    refusals.limited(principal, refusal.reason);
    return refusal.response;
  }

  return {
    async fetch(request) {
      try {
        return await serve(request);
      } catch (error) {
        log(`A request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        return rpcFailure({ status: 500, code: rpcCode.server, message: 'Trestle failed; its log says how' });
      }
    },
    async close() {
      await Promise.all([modern.close(), streaming.close(), legacy.close()]);
      subscriptions.close();
    },
  };
}

interface Use {
  principal: Principal;
  admission: { release: () => void };
  /** Called once the answer has gone out. */
  endings: (() => void)[];
}

/** What goes on to a database. The rest answers at once, as one JSON body. */
function mayTakeLong(body: unknown): boolean {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
  if (method === 'resources/read' || method === 'prompts/get') return true;
  return method === 'tools/call' && tools.some(({ name }) => name === params?.name);
}

/** The resources a listen request names; undefined for every other request. */
function listenUris(body: unknown): string[] | undefined {
  const message = body as ListenRequest | null;
  if (message?.method !== 'subscriptions/listen') return undefined;
  const uris = message.params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}

interface ListenRequest {
  method?: unknown;
  params?: { notifications?: { resourceSubscriptions?: unknown } };
}

/** The same request, which also ends when the signal says so. Its body has been read already. */
function withSignal({ url, method, headers, signal }: Request, ended: AbortSignal): Request {
  return new Request(url, { method, headers, signal: AbortSignal.any([signal, ended]) });
}

function answerChallenge(request: Request, prove: (challenge: string) => string): Response {
  const challenge = request.headers.get(challengeHeader);
  if (!isChallenge(challenge)) {
    return rpcFailure({
      status: 400,
      code: rpcCode.invalidRequest,
      message: 'A challenge is 32 bytes in base64url',
    });
  }
  return new Response(null, { status: 204, headers: { [proofHeader]: prove(challenge) } });
}
