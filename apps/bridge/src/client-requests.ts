import { isObject, type Params, type RpcId, type RpcMessage, type RpcResponse } from './messages.ts';

/** The app's questions to an older client. The app needs the answers to continue a call. */
interface InputRequired {
  inputRequests: Record<string, { method: string; params?: Params }>;
  requestState?: unknown;
}

export function inputRequired(response: RpcMessage): InputRequired | undefined {
  if ('method' in response || response.result?.resultType !== 'input_required') return undefined;
  const { inputRequests, requestState } = response.result;
  return {
    inputRequests: (isObject(inputRequests) ? inputRequests : {}) as InputRequired['inputRequests'],
    ...(requestState !== undefined && { requestState }),
  };
}

/** Requests to the client and their answers. Only older clients can receive them. */
export class ClientRequests {
  readonly #write: (message: RpcMessage) => void;
  readonly #pending = new Map<RpcId, (response: RpcResponse) => void>();
  #count = 0;

  constructor(write: (message: RpcMessage) => void) {
    this.#write = write;
  }

  /** The client's answers, by the keys of the requests. Rejects if the client refuses one, or on abort. */
  async askAll(required: InputRequired, signal: AbortSignal): Promise<Params> {
    const entries = Object.entries(required.inputRequests).map(
      async ([key, { method, params }]) => [key, await this.#ask(method, params, signal)] as const,
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  settle(response: RpcResponse): void {
    this.#pending.get(response.id)?.(response);
  }

  async #ask(method: string, params: Params | undefined, signal: AbortSignal): Promise<Params> {
    const id = `trestle-ask-${++this.#count}`;
    const { promise, resolve, reject } = Promise.withResolvers<RpcResponse>();
    const abort = () => reject(signal.reason);
    this.#pending.set(id, resolve);
    signal.addEventListener('abort', abort, { once: true });
    try {
      this.#write({ jsonrpc: '2.0', id, method, ...(params && { params }) });
      const { result, error } = await promise;
      if (!result) throw new Error(`The client refused ${method}: ${error?.message ?? 'no result'}`);
      return result;
    } finally {
      this.#pending.delete(id);
      signal.removeEventListener('abort', abort);
    }
  }
}
