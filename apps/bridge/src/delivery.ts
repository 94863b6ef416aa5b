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

  /** An exception would end the process here. A message that cannot be read is passed over: its call fails as lost. */
  #take(text: string): void {
    const { message, onMessage } = this.#exchange;
    try {
      const received: unknown = JSON.parse(text);
      if (!isObject(received)) return;
      const isResponse = received.method === undefined;
      // An error sent before the body was read has no id of its own.
      if (isRequest(message) && isResponse) received.id ??= message.id;
      onMessage(received as unknown as RpcMessage);
      this.isAnswered ||= isResponse;
    } catch {}
  }
}
