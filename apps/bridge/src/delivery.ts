import { EventStream } from './event-stream.ts';
import { isObject, isRequest, type RpcMessage, type RpcNotification, type RpcRequest } from './messages.ts';

export interface Exchange {
  message: RpcRequest | RpcNotification;
  /** Aborting it ends the HTTP request, which is how a call is cancelled. */
  signal: AbortSignal;
  /** Everything the app says in answer, the response last. */
  onMessage: (message: RpcMessage) => void;
  /** Nobody waits for it: it never starts the app. */
  isIdle?: boolean;
}

/** Hands on what the app answers to one message. A refusal of the token stays here: it may be tried again. */
export class Delivery {
  readonly #exchange: Exchange;
  #events: EventStream | undefined;
  #body = '';
  status = 0;
  /** The response is among what was handed on. */
  isAnswered = false;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  begin(status: number, contentType = ''): void {
    this.status = status;
    if (contentType.startsWith('text/event-stream'))
      this.#events = new EventStream((text) => this.#take(text));
  }

  push(text: string): void {
    if (this.#events) this.#events.push(text);
    else this.#body += text;
  }

  finish(): void {
    if (this.#body !== '' && !this.isRefused) this.#take(this.#body);
  }

  get isRefused(): boolean {
    return this.status === 401;
  }

  #take(text: string): void {
    const { message, onMessage } = this.#exchange;
    const received = parse(text, message);
    if (!received) return;
    this.isAnswered ||= !('method' in received);
    onMessage(received);
  }
}

/** An error sent before the body was read has no id of its own. */
function parse(text: string, message: RpcRequest | RpcNotification): RpcMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (isRequest(message) && value.method === undefined) value.id ??= message.id;
  return value as unknown as RpcMessage;
}
