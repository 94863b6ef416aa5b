import { createMcpHandler, isLegacyRequest, type McpServerFactory } from '@modelcontextprotocol/server';
import { challengeHeader, isChallenge, mcpPath, proofHeader, proofPath } from '@trestle/handshake';
import type { Authentication } from './auth/bearer.ts';
import { principalKey, toAuthInfo } from './auth/principal.ts';
import { readBody, refuseRequest } from './guards.ts';
import { LegacySessions } from './legacy-sessions.ts';
import { rpcCode, rpcFailure } from './rpc.ts';

export interface EndpointOptions {
  factory: McpServerFactory;
  authenticate: (request: Request) => Authentication;
  /** Answers a bridge's challenge under the handshake's secret. */
  prove: (challenge: string) => string;
  log: (message: string) => void;
}

export interface Endpoint {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** One endpoint, both eras: the guards in their order, then whichever of the two speaks the client's version. */
export function createEndpoint({ factory, authenticate, prove, log }: EndpointOptions): Endpoint {
  const modern = createMcpHandler(factory, {
    legacy: 'reject',
    // Headers go out at once: a client must not take a long query for a dead server.
    responseMode: 'sse',
    maxSubscriptions: 64,
    onerror: (error) => log(`MCP: ${error.message}`),
  });
  const legacy = new LegacySessions(factory);

  async function serve(request: Request): Promise<Response> {
    const refusal = refuseRequest(request);
    if (refusal) return refusal;
    const { pathname } = new URL(request.url);
    if (pathname === proofPath) return answerChallenge(request, prove);
    if (pathname !== mcpPath) {
      return rpcFailure({ status: 404, code: rpcCode.server, message: `The endpoint is ${mcpPath}` });
    }
    const authentication = authenticate(request);
    if (!authentication.ok) return authentication.response;
    const read = await readBody(request);
    if (!read.ok) return read.response;
    const { body } = read;
    const authInfo = toAuthInfo(authentication.principal);
    if (!(await isLegacyRequest(request, body))) return modern.fetch(request, { authInfo, parsedBody: body });
    return legacy.handle({ request, body, authInfo, owner: principalKey(authentication.principal) });
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
      await Promise.all([modern.close(), legacy.close()]);
    },
  };
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
