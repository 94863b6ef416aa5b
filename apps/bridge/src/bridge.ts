import { ClientRequests, inputRequired } from './client-requests.ts';
import { BridgeFailure, refusalIn } from './failures.ts';
import {
  antiquate,
  clientFrom,
  initializeResult,
  type LegacyClient,
  modernize,
  unknownClient,
} from './legacy-client.ts';
import {
  claimedVersion,
  idKey,
  isNotification,
  isRequest,
  isResponse,
  type Params,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from './messages.ts';
import { Subscription } from './subscription.ts';
import type { Upstream } from './upstream.ts';

interface BridgeOptions {
  upstream: Upstream;
  /** Sends one message to the client, as JSON without a line break. */
  write: (json: string) => void;
  /** Writes to stderr. */
  report: (line: string) => void;
}

/** Carries messages between one stdio client and the app. To the app it always speaks 2026-07-28. */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #subscription: Subscription;
  readonly #asked: ClientRequests;
  readonly #inFlight = new Map<string, AbortController>();
  #client: LegacyClient = unknownClient;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#subscription = new Subscription(options.upstream, (message) => this.#write(message));
    this.#asked = new ClientRequests((message) => this.#write(message));
  }

  receiveLine(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#refuse(-32700, 'That line is not JSON');
      return;
    }
    if (Array.isArray(message) && message.length > 0) for (const part of message) this.#receive(part);
    else this.#receive(message);
  }

  lineTooLong(): void {
    const words = 'That line is too long';
    this.#options.report(words);
    this.#refuse(-33005, words);
  }

  #receive(message: unknown): void {
    if (isRequest(message)) void this.#answer(message);
    else if (isNotification(message)) this.#note(message);
    // An answer to a question that was closed needs no reply.
    else if (isResponse(message)) this.#asked.settle(message);
    else this.#refuse(-32600, 'That is not a JSON-RPC message');
  }

  close(): void {
    this.#subscription.close();
    for (const controller of this.#inFlight.values()) controller.abort();
  }

  async #answer(request: RpcRequest): Promise<void> {
    const key = idKey(request.id);
    const controller = new AbortController();
    this.#inFlight.set(key, controller);
    try {
      if (claimedVersion(request) !== undefined) await this.#forward(request, controller.signal);
      else await this.#serveLegacy(request, controller.signal);
    } catch (error) {
      if (!controller.signal.aborted) this.#fail(request.id, error as Error);
    } finally {
      if (this.#inFlight.get(key) === controller) this.#inFlight.delete(key);
    }
  }

  #forward(message: RpcRequest, signal: AbortSignal): Promise<void> {
    const onMessage = (received: RpcMessage) => {
      if (!signal.aborted) this.#write(received);
    };
    return this.#options.upstream.send({ message, signal, onMessage });
  }

  async #serveLegacy(request: RpcRequest, signal: AbortSignal): Promise<void> {
    const { id, method, params } = request;
    const reply = (result: Params) => this.#write({ jsonrpc: '2.0', id, result });
    switch (method) {
      case 'ping':
      case 'logging/setLevel':
        return reply({});
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        this.#subscription.change(method, String(params?.uri), this.#client);
        return reply({});
      case 'initialize':
        return this.#initialize(request, signal);
    }
    const response = await this.#call(request, signal);
    if (signal.aborted) return;
    this.#write(antiquate({ ...response, id }));
    this.#subscription.keep(this.#client);
  }

  async #initialize(request: RpcRequest, signal: AbortSignal): Promise<void> {
    this.#client = clientFrom(request);
    const discover: RpcRequest = { jsonrpc: '2.0', id: request.id, method: 'server/discover' };
    const { result, error } = await this.#request(discover, signal);
    if (signal.aborted) return;
    if (!result) {
      this.#write({ jsonrpc: '2.0', id: request.id, error });
      return;
    }
    this.#subscription.offer(result.capabilities);
    this.#write({ jsonrpc: '2.0', id: request.id, result: initializeResult(request, result) });
    this.#subscription.keep(this.#client);
  }

  /** Runs a call. The app may ask the client questions: each further round is a new request. */
  async #call(request: RpcRequest, signal: AbortSignal): Promise<RpcResponse> {
    let params = request.params;
    for (let round = 0; ; round++) {
      const id = round === 0 ? request.id : `${String(request.id)}-${round}`;
      const response = await this.#request({ ...request, id, params }, signal);
      const required = inputRequired(response);
      if (!required) return response;
      const { requestState } = required;
      const inputResponses = await this.#asked.askAll(required, signal);
      params = { ...request.params, inputResponses, ...(requestState !== undefined && { requestState }) };
    }
  }

  /** Returns the response. Notifications of the call go to the client as they arrive. */
  async #request(request: RpcRequest, signal: AbortSignal): Promise<RpcResponse> {
    let response: RpcResponse | undefined;
    const onMessage = (received: RpcMessage) => {
      if (!('method' in received)) response = received;
      else if (!signal.aborted) this.#write(received);
    };
    const message = modernize(request, this.#client);
    await this.#options.upstream.send({ message, signal, onMessage });
    return response ?? { jsonrpc: '2.0', id: request.id, error: { code: -33002, message: 'Cancelled' } };
  }

  #note(notification: RpcNotification): void {
    if (notification.method === 'notifications/cancelled') {
      this.#inFlight.get(idKey(notification.params?.requestId))?.abort();
    } else if (claimedVersion(notification) !== undefined) {
      const { signal } = new AbortController();
      this.#options.upstream
        .send({ message: notification, signal, onMessage: () => {} })
        .catch((error: Error) => this.#options.report(error.message));
    }
  }

  #fail(id: RpcId, error: Error): void {
    const own = error instanceof BridgeFailure;
    const data = own ? { data: { layer: error.layer } } : {};
    this.#write({
      jsonrpc: '2.0',
      id,
      error: { code: own ? error.code : -33000, message: error.message, ...data },
    });
  }

  #write(message: RpcMessage): void {
    const refusal = refusalIn(message);
    if (refusal !== undefined) this.#options.report(refusal);
    this.#options.write(JSON.stringify(message));
  }

  #refuse(code: number, message: string): void {
    this.#options.write(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
  }
}
