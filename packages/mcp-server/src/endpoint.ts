import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLegacyRequest } from '@modelcontextprotocol/server';
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
import { readBody, refuseCursor, refuseRequest } from './guards.ts';
import { type HeaderReader, Incoming } from './incoming.ts';
import { LegacySessions } from './legacy-sessions.ts';
import type { Limits } from './limits.ts';
import { Modern, type ModernOptions, type Received } from './modern.ts';
import type { RefusalLog } from './refusal-log.ts';
import { rpcCode, rpcFailure } from './rpc.ts';
import { answer, sendInTime, whenOver } from './send.ts';

export interface EndpointOptions extends Omit<ModernOptions, 'onerror'> {
  authenticate: (headers: HeaderReader) => Authentication;
  /** Another number whenever a token may have been revoked. */
  tokenChanges: () => number;
  limits: Limits;
  refusals: RefusalLog;
  clients: Clients;
  maxBodyBytes: () => number;
  /** Answers a bridge's challenge under the handshake's secret. */
  prove: (challenge: string) => string;
  log: (message: string) => void;
}

export interface Endpoint {
  handle(message: IncomingMessage, outgoing: ServerResponse): Promise<void>;
  close(): Promise<void>;
}

/** One endpoint, both eras: the guards in their order, then whichever of the two speaks the client's version. */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { factory, limits, refusals, subscriptions, log } = options;
  const modern = new Modern({ ...options, onerror: (error) => log(`MCP: ${error.message}`) });
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
    const admission = limits.admit(principalKey(principal));
    if (!admission.ok) return answer(outgoing, limited(principal, admission));
    whenOver(outgoing, admission.release);
    const tokenChanges = options.tokenChanges();
    const read = await readBody(incoming, options.maxBodyBytes());
    if (!read.ok) return answer(outgoing, read.response);
    if (tokenChanges !== options.tokenChanges()) {
      // A body may take a minute, and what its token had in flight was ended before this has begun.
      const again = options.authenticate(incoming.headers);
      if (!again.ok) return answer(outgoing, again.response);
    }
    const { body } = read;
    whenOver(outgoing, options.clients.saw(principal, incoming.headers, body));
    const ending = new AbortController();
    whenOver(outgoing, () => outgoing.writableFinished || ending.abort());
    const clientName = declaredName(body) ?? plainName('');
    const received = { incoming, outgoing, principal, clientName, body, ending };
    const known = modern.answerKnown(received);
    return known ? sendInTime(outgoing, known) : dispatch(received, admission);
  }

  async function dispatch(received: Received, admission: { release: () => void }): Promise<void> {
    const { incoming, outgoing, principal, clientName, body, ending } = received;
    const owner = principalKey(principal);
    const request = incoming.toRequest(ending.signal);
    const isLegacy = !saysModern(incoming.headers, body) && (await isLegacyRequest(request, body));
    const refusal = refuseCursor(body);
    if (refusal) return answer(outgoing, refusal);
    if (isLegacy) {
      const served = await legacy.handle({ request, body, authInfo: toAuthInfo(principal), owner });
      if (served.release) whenOver(outgoing, served.release);
      return answer(outgoing, served.response);
    }
    const uris = listenUris(body);
    if (!uris) return sendInTime(outgoing, modern.answer(received, request));
    const listening = limits.listen(owner);
    if (!listening.ok) return answer(outgoing, limited(principal, listening));
    whenOver(outgoing, listening.release);
    admission.release();
    const listen = (ended: AbortSignal) => modern.listen(received, ended);
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
        log(`A request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        if (outgoing.headersSent) outgoing.destroy();
        else await answer(outgoing, rpcFailure(failed));
      }
    },
    async close() {
      await Promise.all([modern.close(), legacy.close()]);
      subscriptions.close();
    },
  };
}

const unknownPath = { status: 404, code: rpcCode.server, message: `The endpoint is ${mcpPath}` };
const failed = { status: 500, code: rpcCode.server, message: 'Trestle failed; its log says how' };

/** What the protocol layer's own test finds too, at some expense: it parses the message four times over. */
function saysModern(headers: HeaderReader, body: unknown): boolean {
  const { method } = (body ?? {}) as { method?: unknown };
  const version = headers.get('mcp-protocol-version');
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

function answerChallenge(headers: HeaderReader, prove: (challenge: string) => string): Response {
  const challenge = headers.get(challengeHeader);
  if (!isChallenge(challenge)) {
    return rpcFailure({
      status: 400,
      code: rpcCode.invalidRequest,
      message: 'A challenge is 32 bytes in base64url',
    });
  }
  return new Response(null, { status: 204, headers: { [proofHeader]: prove(challenge) } });
}
