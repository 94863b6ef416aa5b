import { Call } from './call.ts';
import { ClientRequests, type InputRequired, inputRequired } from './client-requests.ts';
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
  isId,
  isNotification,
  isRequest,
  isResponse,
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

/** Passes messages between one stdio client and the app. Translates between older clients and revision 2026-07-28. */
export class Bridge {
  readonly #options: BridgeOptions;
  readonly #subscription: Subscription;
  readonly #asked: ClientRequests;
  readonly #inFlight = new Map<string, Call>();
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
    // If the bridge no longer waits for this answer, `settle` ignores it.
    else if (isResponse(message)) this.#asked.settle(message);
    else this.#refuse(-32600, 'That is not a JSON-RPC message');
  }

  close(): void {
    this.#subscription.close();
    for (const call of this.#inFlight.values()) call.cancel();
  }

  async #answer(request: RpcRequest): Promise<void> {
    const key = idKey(request.id);
    const call = new Call();
    this.#inFlight.set(key, call);
    try {
      if (claimedVersion(request) === undefined) await this.#serveLegacy(request, call);
      else await this.#send(request, call, (response) => this.#write(response));
    } catch (error) {
      if (!call.isCancelled) this.#fail(request.id, error as Error);
    } finally {
      if (this.#inFlight.get(key) === call) this.#inFlight.delete(key);
    }
  }

  /** Sends a request to the app. Notifications of the call go to the client as they arrive. */
  #send(message: RpcRequest, call: Call, onResponse: (response: RpcResponse) => void): Promise<void> {
    const onMessage = (received: RpcMessage) => {
      if (call.isCancelled) return;
      if ('method' in received) this.#write(received);
      else onResponse(received);
    };
    return this.#options.upstream.send({ message, call, onMessage });
  }

  async #serveLegacy(request: RpcRequest, call: Call): Promise<void> {
    const { id, method, params } = request;
    const empty: RpcResponse = { jsonrpc: '2.0', id, result: {} };
    switch (method) {
      case 'ping':
      case 'logging/setLevel':
        return this.#write(empty);
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        this.#subscription.change(method, String(params?.uri), this.#client);
        return this.#write(empty);
      case 'initialize':
        return this.#initialize(request, call);
      default:
        return this.#callLegacy(request, call);
    }
  }

  #initialize(request: RpcRequest, call: Call): Promise<void> {
    this.#client = clientFrom(request);
    const { id } = request;
    const discover: RpcRequest = { jsonrpc: '2.0', id, method: 'server/discover' };
    return this.#send(modernize(discover, this.#client), call, ({ result, error }) => {
      if (!result) return this.#write({ jsonrpc: '2.0', id, error });
      this.#subscription.offer(result.capabilities);
      this.#write({ jsonrpc: '2.0', id, result: initializeResult(request, result) });
      this.#subscription.keep(this.#client);
    });
  }

  /** Runs a call. If the app answers with questions, the client's answers go to the app in a new request. */
  async #callLegacy(request: RpcRequest, call: Call): Promise<void> {
    let params = request.params;
    for (let round = 0; ; round++) {
      const id = round === 0 ? request.id : `${String(request.id)}-${round}`;
      const questions: InputRequired[] = [];
      await this.#send(modernize({ ...request, id, params }, this.#client), call, (response) => {
        const required = inputRequired(response);
        if (required) questions.push(required);
        else this.#write(antiquate({ ...response, id: request.id }));
      });
      const [required] = questions;
      if (!required) return this.#subscription.keep(this.#client);
      const inputResponses = await this.#asked.askAll(required, call);
      params = { ...request.params, inputResponses, requestState: required.requestState };
    }
  }

  #note(notification: RpcNotification): void {
    if (notification.method === 'notifications/cancelled') {
      const id = notification.params?.requestId;
      if (isId(id)) this.#inFlight.get(idKey(id))?.cancel();
    } else if (claimedVersion(notification) !== undefined) {
      this.#options.upstream
        .send({ message: notification, call: new Call(), onMessage: () => {} })
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
