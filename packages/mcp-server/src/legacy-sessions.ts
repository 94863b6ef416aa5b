import { randomUUID } from 'node:crypto';
import {
  type AuthInfo,
  isInitializeRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { own } from '@trestle/core';
import { protocolVersions } from '@trestle/handshake';
import { requestId, rpcCode, rpcFailure } from './rpc.ts';

interface LegacyRequest {
  request: Request;
  body: unknown;
  authInfo: AuthInfo;
  /** The key of the client. An MCP session answers only the client that opened it. */
  owner: string;
}

interface LegacyAnswer {
  response: Response;
  /** Call this when the answer was sent: until then the MCP session is in use. */
  release?: () => void;
}

/** Protocol versions 2025-11-25 and 2025-06-18: `initialize` opens an MCP session, which `Mcp-Session-Id` names. */
export class LegacySessions {
  readonly #factory: McpServerFactory;
  /** In the order of their last use, the oldest first. */
  readonly #sessions = new Map<string, Session>();
  readonly #maxSessions: number;
  readonly #timer: NodeJS.Timeout;

  constructor(factory: McpServerFactory, { maxSessions = 128, idleMs = 30 * 60_000 } = {}) {
    this.#factory = factory;
    this.#maxSessions = maxSessions;
    // DELETE is answered with 405, so a client cannot end its MCP session. An idle one is ended here.
    this.#timer = setInterval(() => this.#evictIdle(idleMs), Math.min(idleMs, 60_000)).unref();
  }

  async handle(incoming: LegacyRequest): Promise<LegacyAnswer> {
    const { request, body, authInfo } = incoming;
    const refusal = refuseVersion(request, body);
    if (refusal) return { response: refusal };
    const id = request.headers.get('mcp-session-id');
    const session = id === null ? await this.#open(incoming) : this.#find(id, incoming.owner);
    if (session instanceof Response) return { response: session };
    session.running++;
    try {
      const response = await session.transport.handleRequest(request, { parsedBody: body, authInfo });
      if (id === null && !response.ok) await this.#end(session);
      const cancelled = cancelledRequest(body);
      // A cancelled request gets no response, so its stream would stay open as long as the MCP session.
      if (cancelled !== undefined) session.transport.closeSSEStream(cancelled);
      return { response, release: () => this.#release(session) };
    } catch (error) {
      this.#release(session);
      throw error;
    }
  }

  get size(): number {
    return this.#sessions.size;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session)));
  }

  #find(id: string, owner: string): Session | Response {
    const session = this.#sessions.get(id);
    if (!session || session.owner !== owner) {
      return rpcFailure({
        status: 404,
        code: rpcCode.session,
        message: own`There is no such MCP session; initialize again`,
      });
    }
    this.#use(session);
    return session;
  }

  async #open({ request, body, authInfo, owner }: LegacyRequest): Promise<Session | Response> {
    const failure = { id: requestId(body), code: rpcCode.session };
    if (!isInitializeRequest(body)) {
      return rpcFailure({
        ...failure,
        status: 400,
        message: own`Initialize first, and send Mcp-Session-Id after that`,
      });
    }
    if (!this.#makeRoom(owner)) {
      const headers = { 'Retry-After': '5' };
      const message = own`Too many MCP sessions are in use. Wait 5 s, then try again.`;
      return rpcFailure({ ...failure, status: 429, code: rpcCode.rateLimited, message, headers });
    }
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const server = await this.#factory({ era: 'legacy', authInfo, requestInfo: request });
    await server.connect(transport);
    const close = () => server.close();
    const session: Session = { id, owner, transport, close, usedAt: performance.now(), running: 0 };
    this.#sessions.set(id, session);
    return session;
  }

  #release(session: Session): void {
    session.running--;
    if (this.#sessions.has(session.id)) this.#use(session);
  }

  #use(session: Session): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
    session.usedAt = performance.now();
  }

  /** A client that has half of the allowed MCP sessions drops one of its own, not one of another client. */
  #makeRoom(owner: string): boolean {
    const all = [...this.#sessions.values()];
    const own = all.filter((session) => session.owner === owner);
    if (own.length >= this.#maxSessions / 2) return this.#evictOldest(own);
    return all.length < this.#maxSessions || this.#evictOldest(all);
  }

  #evictOldest(sessions: Session[]): boolean {
    const oldest = sessions.find((session) => session.running === 0);
    if (oldest) void this.#end(oldest);
    return oldest !== undefined;
  }

  #evictIdle(idleMs: number): void {
    const limit = performance.now() - idleMs;
    for (const session of this.#sessions.values()) {
      if (session.running === 0 && session.usedAt < limit) void this.#end(session);
    }
  }

  async #end(session: Session): Promise<void> {
    this.#sessions.delete(session.id);
    await session.close().catch(() => {});
  }
}

interface Session {
  id: string;
  owner: string;
  transport: WebStandardStreamableHTTPServerTransport;
  close(): Promise<void>;
  usedAt: number;
  running: number;
}

function cancelledRequest(body: unknown): string | number | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { requestId?: unknown } | null };
  if (method !== 'notifications/cancelled') return undefined;
  const id = params?.requestId;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/** The SDK would answer an older version with an offer of a newer one. We refuse old versions that we do not speak. */
function refuseVersion(request: Request, body: unknown): Response | undefined {
  const header = request.headers.get('mcp-protocol-version');
  const asked = isInitializeRequest(body) ? body.params.protocolVersion : header;
  if (asked === null || protocolVersions.includes(asked)) return undefined;
  // A client with a newer version than ours gets an offer from the SDK, in the answer to `initialize`.
  if (isInitializeRequest(body) && asked > (protocolVersions[0] ?? '')) return undefined;
  return rpcFailure({
    status: 400,
    code: rpcCode.unsupportedVersion,
    message: own`Unsupported protocol version. The error's data lists the supported ones.`,
    data: { supported: protocolVersions, requested: asked },
    id: requestId(body),
  });
}
