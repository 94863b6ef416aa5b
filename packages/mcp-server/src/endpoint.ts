import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler, isLegacyRequest, type McpServerFactory } from '@modelcontextprotocol/server';
import { own } from '@trestle/core';
import { challengeHeader, isChallenge, mcpPath, proofHeader, proofPath } from '@trestle/handshake';
import type { Seats } from '@trestle/loopback';
import type { Authentication } from './auth/bearer.ts';
import { type Principal, plainName, principalKey, toAuthInfo } from './auth/principal.ts';
import { type Clients, declaredName } from './clients.ts';
import { traceOf } from './errors.ts';
import { type HeaderReader, Incoming } from './incoming.ts';
import { LegacySessions } from './legacy-sessions.ts';
import type { Limits } from './limits.ts';
import type { RefusalLog } from './refusal-log.ts';
import { readBody, refuseCursor, refuseRequest } from './request-checks.ts';
import { rpcCode, rpcFailure } from './rpc.ts';
import { answer, readAnswer, sendInTime, whenOver } from './send.ts';
import type { Subscriptions } from './subscriptions.ts';

interface EndpointOptions {
  factory: McpServerFactory;
  subscriptions: Subscriptions;
  authenticate: (headers: HeaderReader) => Authentication;
  /** Changes whenever a token may have been revoked. */
  tokenChanges: () => number;
  limits: Limits;
  refusals: RefusalLog;
  clients: Clients;
  maxBodyBytes: () => number;
  seats: Seats;
  /** Computes the answer to a bridge's challenge with the handshake's secret. */
  prove: (challenge: string) => string;
  log: (message: string) => void;
}

export interface Endpoint {
  handle(message: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** Checks each request, then passes it to the handler for its protocol version: modern or legacy. */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { factory, limits, refusals, subscriptions, log } = options;
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    bus: subscriptions,
    maxSubscriptions: 256,
    onerror: (error) => log(`MCP: ${error.message}`),
  });
  const legacy = new LegacySessions(factory);

  async function serve(incoming: Incoming, outgoing: ServerResponse): Promise<void> {
    const refusal = refuseRequest(incoming);
    if (refusal) return answer(outgoing, refusal);
    if (incoming.path === proofPath)
      return answer(outgoing, answerChallenge(incoming.headers, options.prove));
    if (incoming.path !== mcpPath) return answer(outgoing, rpcFailure(unknownPath));
    const authentication = options.authenticate(incoming.headers);
    if (!authentication.ok) return answer(outgoing, authentication.response);
    const { principal } = authentication;
    const seat = options.seats.prove(incoming.socket);
    if (!seat) return answer(outgoing, rpcFailure(noSeat));
    whenOver(outgoing, seat);
    const admission = limits.admit({ key: principalKey(principal), token: principal.token.id });
    if (!admission.ok) return answer(outgoing, limited(principal, admission));
    whenOver(outgoing, admission.release);
    const tokenChanges = options.tokenChanges();
    const read = await readBody(incoming, options.maxBodyBytes());
    if (!read.ok) return answer(outgoing, read.response);
    if (tokenChanges !== options.tokenChanges()) {
      // Reading a body may take a minute. If the token was revoked meanwhile, the core ended its running calls. This
      // call was not running yet, so it is refused here.
      const again = options.authenticate(incoming.headers);
      if (!again.ok) return answer(outgoing, again.response);
    }
    const { body } = read;
    whenOver(outgoing, options.clients.saw(principal, incoming.headers, body, incoming.socket));
    const ending = new AbortController();
    whenOver(outgoing, () => outgoing.writableFinished || ending.abort());
    const cursorRefusal = refuseCursor(body);
    if (cursorRefusal) return answer(outgoing, cursorRefusal);
    const request = incoming.toRequest(ending.signal);
    return dispatch({ request, outgoing, principal, body, endRequest: admission.release });
  }

  /** Passes a checked request to the SDK. */
  async function dispatch({ request, outgoing, principal, body, endRequest }: Received): Promise<void> {
    const authInfo = toAuthInfo(principal);
    const owner = principalKey(principal);
    if (await isLegacyRequest(request, body)) {
      const served = await legacy.handle({ request, body, authInfo, owner });
      if (served.release) whenOver(outgoing, served.release);
      return answer(outgoing, served.response);
    }
    const uris = listenUris(body);
    if (!uris) {
      const response = modern.fetch(request, { authInfo, parsedBody: body });
      return sendInTime(outgoing, response.then(readAnswer));
    }
    const listening = limits.listen(owner);
    if (!listening.ok) return answer(outgoing, limited(principal, listening));
    whenOver(outgoing, listening.release);
    // A subscription has its own limit and does not count as a running request.
    endRequest();
    const clientName = declaredName(body) ?? plainName('');
    const listen = (ended: AbortSignal) => {
      const endable = new Request(request, { signal: AbortSignal.any([request.signal, ended]) });
      return modern.fetch(endable, { authInfo, parsedBody: body });
    };
    return answer(outgoing, await subscriptions.open({ ...principal, clientName }, uris, listen));
  }

  function limited(principal: Principal, refusal: { reason: string; response: Response }): Response {
    refusals.limited(principal, refusal.reason);
    return refusal.response;
  }

  return {
    async handle(message, outgoing) {
      try {
        await serve(new Incoming(message), outgoing);
      } catch (error) {
        log(`A request failed: ${traceOf(error)}`);
        if (outgoing.headersSent) outgoing.destroy();
        else await answer(outgoing, rpcFailure(failed));
      }
    },
    async close() {
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
}

const unknownPath = { status: 404, code: rpcCode.server, message: own`The endpoint is /mcp` };
const noSeat = {
  status: 503,
  code: rpcCode.rateLimited,
  message: own`Too many clients have running requests. Wait a second, then try again.`,
  headers: { 'Retry-After': '1', Connection: 'close' },
};
const failed = { status: 500, code: rpcCode.server, message: own`Trestle failed; its log says how` };

interface Received {
  request: Request;
  outgoing: ServerResponse;
  principal: Principal;
  body: unknown;
  /** Stops counting the request as a running request. */
  endRequest(): void;
}

/** The resources in a listen request. Undefined for other requests. */
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

function answerChallenge(headers: HeaderReader, prove: (challenge: string) => string): Response {
  const challenge = headers.get(challengeHeader);
  if (!isChallenge(challenge)) {
    return rpcFailure({
      status: 400,
      code: rpcCode.invalidRequest,
      message: own`A challenge is 32 bytes in base64url`,
    });
  }
  return new Response(null, { status: 204, headers: { [proofHeader]: prove(challenge) } });
}
