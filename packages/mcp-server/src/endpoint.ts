import type { HttpBindings } from '@hono/node-server';
import { createMcpHandler, isLegacyRequest, type McpServerFactory } from '@modelcontextprotocol/server';
import {
  challengeHeader,
  isChallenge,
  mcpPath,
  modernProtocolVersion,
  proofHeader,
  proofPath,
} from '@trestle/handshake';
import type { Authentication } from './auth/bearer.ts';
import { type Principal, plainName, principalKey, toAuthInfo } from './auth/principal.ts';
import { type Clients, declaredName } from './clients.ts';
import { type FixedAnswers, readFixedRequest } from './fixed-answers.ts';
import { readBody, refuseCursor, refuseRequest } from './guards.ts';
import { LegacySessions } from './legacy-sessions.ts';
import type { Limits } from './limits.ts';
import type { RefusalLog } from './refusal-log.ts';
import { rpcCode, rpcFailure } from './rpc.ts';
import { readText, sendInTime, sendText, whenOver } from './send.ts';
import type { Subscriptions } from './subscriptions.ts';

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
  fetch(request: Request, bindings: HttpBindings): Promise<Response>;
  close(): Promise<void>;
}

/** One endpoint, both eras: the guards in their order, then whichever of the two speaks the client's version. */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { factory, limits, refusals, subscriptions, fixedAnswers, log } = options;
  const onerror = (error: Error) => log(`MCP: ${error.message}`);
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    bus: subscriptions,
    maxSubscriptions: 256,
    onerror,
  });
  const legacy = new LegacySessions(factory);

  async function serve(request: Request, bindings: HttpBindings): Promise<Response> {
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
    whenOver(bindings.outgoing, admission.release);
    return dispatch(request, { principal, admission, ...bindings });
  }

  async function dispatch(request: Request, use: Use): Promise<Response> {
    const { principal, admission, incoming, outgoing } = use;
    const read = await readBody(request, options.maxBodyBytes());
    if (!read.ok) return read.response;
    const { body } = read;
    whenOver(outgoing, options.clients.saw(principal, request, body));
    const asked = fixedAnswers && readFixedRequest(incoming.rawHeaders, body);
    const fixed = asked && fixedAnswers.find(asked);
    if (fixed) return sendText(outgoing, fixed);
    const authInfo = toAuthInfo(principal);
    const owner = principalKey(principal);
    const isLegacy = !saysModern(request, body) && (await isLegacyRequest(request, body));
    const refusal = refuseCursor(body);
    if (refusal) return refusal;
    if (isLegacy) {
      const served = await legacy.handle({ request, body, authInfo, owner });
      if (served.release) whenOver(outgoing, served.release);
      return served.response;
    }
    const uris = listenUris(body);
    if (!uris) {
      const response = modern.fetch(request, { authInfo, parsedBody: body });
      if (!asked) return sendInTime(outgoing, response);
      const answer = await readText(await response);
      fixedAnswers.keep(asked, answer);
      return sendText(outgoing, answer);
    }
    const listening = limits.listen(owner);
    if (!listening.ok) return limited(principal, listening);
    whenOver(outgoing, listening.release);
    admission.release();
    const clientName = declaredName(body) ?? plainName('');
    return subscriptions.open({ ...principal, clientName }, uris, (ended) =>
      modern.fetch(withSignal(request, ended), { authInfo, parsedBody: body }),
    );
  }

  function limited(principal: Principal, refusal: { reason: string; response: Response }): Response {
    refusals.limited(principal, refusal.reason);
    return refusal.response;
  }

  return {
    async fetch(request, bindings) {
      try {
        return await serve(request, bindings);
      } catch (error) {
        log(`A request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        return rpcFailure({ status: 500, code: rpcCode.server, message: 'Trestle failed; its log says how' });
      }
    },
    async close() {
      await Promise.all([modern.close(), legacy.close()]);
      subscriptions.close();
    },
  };
}

interface Use extends HttpBindings {
  principal: Principal;
  admission: { release: () => void };
}

/** What the protocol layer's own test finds too, at some expense: it parses the message four times over. */
function saysModern(request: Request, body: unknown): boolean {
  const { method } = (body ?? {}) as { method?: unknown };
  const version = request.headers.get('mcp-protocol-version');
  return version === modernProtocolVersion && typeof method === 'string' && method !== 'initialize';
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
