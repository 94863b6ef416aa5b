import type { ServerResponse } from 'node:http';
import { createMcpHandler, type McpServerFactory } from '@modelcontextprotocol/server';
import { type Exchange, type Principal, toAuthInfo, toCaller } from './auth/principal.ts';
import { FixedAnswers, readFixedRequest } from './fixed-answers.ts';
import type { Incoming } from './incoming.ts';
import { KnownFrames, type PlainCall, readPlainCall } from './known-frames.ts';
import { type Answer, readAnswer, type TextAnswer } from './send.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { ToolRequest } from './tools/register.ts';
import type { Tool } from './tools/tool.ts';

export interface ModernOptions {
  factory: McpServerFactory;
  subscriptions: Subscriptions;
  /** A call whose frame is known. */
  callTool(tool: Tool, request: ToolRequest): Promise<object>;
  /** Fixtures come and go: nothing that was answered once is known of the next. */
  hasFixtures: boolean;
  onerror(error: Error): void;
}

/** A message of a client that may be served. */
export interface Received {
  incoming: Incoming;
  outgoing: ServerResponse;
  principal: Principal;
  /** As it declares itself. */
  clientName: string;
  body: unknown;
  /** Aborted when the client goes away, and by whoever ends the call. */
  ending: AbortController;
}

/** 2026-07-28, in which every request stands by itself. */
export class Modern {
  readonly #options: ModernOptions;
  readonly #protocol: ReturnType<typeof createMcpHandler>;
  readonly #fixedAnswers = new FixedAnswers();
  readonly #knownFrames = new KnownFrames();
  /** Calls that the protocol layer does not know of, and cannot end. */
  readonly #running = new Set<AbortController>();
  #isClosed = false;

  constructor(options: ModernOptions) {
    const { factory, subscriptions: bus, onerror } = options;
    this.#options = options;
    this.#protocol = createMcpHandler(factory, { legacy: 'reject', bus, maxSubscriptions: 256, onerror });
  }

  /** What needs no protocol layer, since it has answered the like before; undefined for all else. */
  answerKnown(received: Received): Promise<Answer> | undefined {
    // A body that was on its way when the server stopped: the protocol layer refuses it.
    if (this.#options.hasFixtures || this.#isClosed) return undefined;
    const { incoming, body } = received;
    const fixed = readFixedRequest(incoming.rawHeaders, body);
    const kept = fixed && this.#fixedAnswers.find(fixed);
    if (kept) return Promise.resolve(kept);
    const call = readPlainCall(incoming.rawHeaders, body);
    const finish = call && this.#knownFrames.find(call);
    return finish && this.#call(call, finish, received);
  }

  async answer(received: Received, request: Request): Promise<Answer> {
    const exchange: Exchange = {};
    const answer = await readAnswer(await this.#ask(received, request, exchange));
    if (!(answer instanceof Response)) this.#remember(received, exchange, answer);
    return answer;
  }

  /** The stream of a subscription, which also ends when `ended` says so. */
  listen(received: Received, ended: AbortSignal): Promise<Response> {
    const signal = AbortSignal.any([received.ending.signal, ended]);
    return this.#ask(received, received.incoming.toRequest(signal), {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const ending of this.#running) ending.abort();
    await this.#protocol.close();
  }

  #ask({ principal, body }: Received, request: Request, exchange: Exchange): Promise<Response> {
    return this.#protocol.fetch(request, { authInfo: toAuthInfo(principal, exchange), parsedBody: body });
  }

  async #call(
    { tool, args }: PlainCall,
    finish: (result: object) => TextAnswer,
    received: Received,
  ): Promise<Answer> {
    const { principal, clientName, ending } = received;
    this.#running.add(ending);
    try {
      const caller = toCaller(principal, clientName);
      const result = await this.#options.callTool(tool, { args, caller, asked: ending });
      return ending.signal.aborted ? unanswered : finish(result);
    } catch (refusal) {
      // The protocol layer has its own words and its own status for it.
      const request = received.incoming.toRequest(ending.signal);
      return readAnswer(await this.#ask(received, request, { refusal }));
    } finally {
      this.#running.delete(ending);
    }
  }

  #remember({ incoming, body }: Received, { result }: Exchange, answer: TextAnswer): void {
    if (this.#options.hasFixtures) return;
    const fixed = readFixedRequest(incoming.rawHeaders, body);
    if (fixed) this.#fixedAnswers.keep(fixed, answer);
    const call = result && readPlainCall(incoming.rawHeaders, body);
    if (call) this.#knownFrames.learn(call, result, answer);
  }
}

/** As the protocol layer has it when the server stops, or nobody waits any more. */
const unanswered: TextAnswer = { status: 499, headers: {}, text: '' };
