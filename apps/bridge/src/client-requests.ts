import type { Call } from './call.ts';
import { isObject, type Params, type RpcId, type RpcMessage, type RpcResponse } from './messages.ts';

/** The app's questions to an older client. The app needs the answers to continue a call. */
export interface InputRequired {
  inputRequests: Record<string, { method: string; params?: Params }>;
  requestState?: unknown;
}

export function inputRequired({ result }: RpcResponse): InputRequired | undefined {
  if (result?.resultType !== 'input_required') return undefined;
  const { inputRequests, requestState } = result;
  return {
    inputRequests: (isObject(inputRequests) ? inputRequests : {}) as InputRequired['inputRequests'],
    requestState,
  };
}

/** Requests to an older client and its answers. A newer client gets the app's questions unchanged. */
export class ClientRequests {
  readonly #write: (message: RpcMessage) => void;
  readonly #pending = new Map<RpcId, (response: RpcResponse) => void>();
  #count = 0;

  constructor(write: (message: RpcMessage) => void) {
    this.#write = write;
  }

  /**
   * The client's answers, by the keys of the requests. Rejects if the client refuses a request or cancels the
   * call. The requests that are still open are then cancelled.
   */
  async askAll(required: InputRequired, call: Call): Promise<Params> {
    const ids: RpcId[] = [];
    const cancelled = Promise.withResolvers<never>();
    const withdraw = () => {
      for (const requestId of ids.filter((id) => this.#pending.delete(id))) {
        this.#write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
      }
    };
    call.onCancel = () => {
      withdraw();
      cancelled.reject(new Error('Cancelled'));
    };
    const entries = Object.entries(required.inputRequests).map(async ([key, { method, params }]) => {
      const id = `trestle-ask-${++this.#count}`;
      ids.push(id);
      return [key, await this.#ask(id, method, params)] as const;
    });
    try {
      return Object.fromEntries(await Promise.race([Promise.all(entries), cancelled.promise]));
    } finally {
      withdraw();
    }
  }

  settle(response: RpcResponse): void {
    this.#pending.get(response.id)?.(response);
    this.#pending.delete(response.id);
  }

  async #ask(id: RpcId, method: string, params: Params | undefined): Promise<Params> {
    const { promise, resolve } = Promise.withResolvers<RpcResponse>();
    this.#pending.set(id, resolve);
    this.#write({ jsonrpc: '2.0', id, method, ...(params && { params }) });
    const { result, error } = await promise;
    if (!result) throw new Error(`The client refused ${method}: ${error?.message ?? 'no result'}`);
    return result;
  }
}
