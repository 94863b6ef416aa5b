import type { Call } from './call.ts';
import { EventStream } from './event-stream.ts';
import { isObject, isRequest, type RpcMessage, type RpcNotification, type RpcRequest } from './messages.ts';

export interface Exchange {
  message: RpcRequest | RpcNotification;
  /** Cancelling the call ends the HTTP request. */
  call: Call;
  /** Gets the messages of the app's answer, the response last. */
  onMessage: (message: RpcMessage) => void;
  /** Nobody waits for the answer to this message, so it must not start the app. */
  isIdle?: boolean;
}

/**
 * Reads the app's answer to one message and passes its messages to `onMessage`. If the app refuses the token (status
 * 401), the body of its answer is not passed on, since the bridge may send the message again.
 */
export class Delivery {
  readonly #exchange: Exchange;
  #events: EventStream | undefined;
  #body = '';
  status = 0;
  /** The response was passed on. */
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

  /**
   * An exception would end the process here, so an unreadable message is ignored. If no readable response
   * arrives, `Upstream` reports the call as `lost` (failures.ts).
   */
  #take(text: string): void {
    const { message, onMessage } = this.#exchange;
    try {
      const received: unknown = JSON.parse(text);
      if (!isObject(received)) return;
      const isResponse = received.method === undefined;
      // If the app fails before it reads the body, its error has no id.
      if (isRequest(message) && isResponse) received.id ??= message.id;
      onMessage(received as unknown as RpcMessage);
      this.isAnswered ||= isResponse;
    } catch {}
  }
}
