import { ClientRequests, inputRequired } from './client-requests.ts';
import { BridgeFailure } from './failures.ts';
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

export interface BridgeOptions {
  upstream: Upstream;
  /** To the client. */
  write: (
    message: RpcMessage | { jsonrpc: '2.0'; id: null; error: { code: number; message: string } },
  ) => void;
  /** To stderr. */
  report: (line: string) => void;
}

/** Carries messages between one client on stdio and the app, which always hears 2026-07-28. */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #subscription: Subscription;
  readonly #asked: ClientRequests;
  readonly #inFlight = new Map<string, AbortController>();
  #client: LegacyClient = unknownClient;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#subscription = new Subscription(options.upstream, options.write);
    this.#asked = new ClientRequests(options.write);
  }

  receiveLine(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      this.#refuse(-32700, 'That line is not JSON');
      return;
    }
    this.#receive(message);
  }

  #receive(message: unknown): void {
    if (Array.isArray(message) && message.length > 0) for (const part of message) this.#receive(part);
    else if (isRequest(message)) void this.#answer(message);
    else if (isNotification(message)) this.#note(message);
    // An answer to a question that is no longer open needs no answer of its own.
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
      if (!signal.aborted) this.#options.write(received);
    };
    return this.#options.upstream.send({ message, signal, onMessage });
  }

  async #serveLegacy(request: RpcRequest, signal: AbortSignal): Promise<void> {
    const { id, method, params } = request;
    const reply = (result: Params) => this.#options.write({ jsonrpc: '2.0', id, result });
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
    this.#options.write(antiquate({ ...response, id }));
    this.#subscription.keep(this.#client);
  }

  async #initialize(request: RpcRequest, signal: AbortSignal): Promise<void> {
    this.#client = clientFrom(request);
    const discover: RpcRequest = { jsonrpc: '2.0', id: request.id, method: 'server/discover' };
    const { result, error } = await this.#exchange(discover, signal);
    if (signal.aborted) return;
    if (!result) {
      this.#options.write({ jsonrpc: '2.0', id: request.id, error });
      return;
    }
    this.#subscription.offer(result.capabilities);
    this.#options.write({ jsonrpc: '2.0', id: request.id, result: initializeResult(request, result) });
    this.#subscription.keep(this.#client);
  }

  /** A call with the questions the app may have on the way; each further round is a request of its own. */
  async #call(request: RpcRequest, signal: AbortSignal): Promise<RpcResponse> {
    let params = request.params;
    for (let round = 0; ; round++) {
      const id = round === 0 ? request.id : `${String(request.id)}-${round}`;
      const response = await this.#exchange({ ...request, id, params }, signal);
      const required = inputRequired(response);
      if (!required) return response;
      const { requestState } = required;
      const inputResponses = await this.#asked.askAll(required, signal);
      params = { ...request.params, inputResponses, ...(requestState !== undefined && { requestState }) };
    }
  }

  /** The response; notifications of the call go to the client as they come. */
  async #exchange(request: RpcRequest, signal: AbortSignal): Promise<RpcResponse> {
    let response: RpcResponse | undefined;
    const onMessage = (received: RpcMessage) => {
      if (!('method' in received)) response = received;
      else if (!signal.aborted) this.#options.write(received);
    };
    await this.#options.upstream.send({ message: modernize(request, this.#client), signal, onMessage });
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
    this.#options.report(error.message);
    const own = error instanceof BridgeFailure;
    const data = own ? { data: { layer: error.layer } } : {};
    this.#options.write({
      jsonrpc: '2.0',
      id,
      error: { code: own ? error.code : -33000, message: error.message, ...data },
    });
  }

  #refuse(code: number, message: string): void {
    this.#options.write({ jsonrpc: '2.0', id: null, error: { code, message } });
  }
}
