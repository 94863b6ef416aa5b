import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** Like the web's `Headers`: a missing header is null, and the values of a repeated header are joined. */
export interface HeaderReader {
  get(name: string): string | null;
}

/** A request as the listener received it. */
export class Incoming {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderReader;
  /** From the request: a response has no socket while it waits for an earlier response on the same connection. */
  readonly socket: Socket;
  readonly #message: IncomingMessage;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.socket = message.socket;
    this.method = message.method ?? '';
    this.path = (message.url ?? '').split('?', 1)[0] ?? '';
    this.headers = { get: (name) => message.headersDistinct[name.toLowerCase()]?.join(', ') ?? null };
  }

  /** Reads the body. Call it only once. Undefined if the body is too long. The rest is then read and discarded. */
  readText(maxBytes: number): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      let chunks: Buffer[] = [];
      let length = 0;
      this.#message
        .on('data', (chunk: Buffer) => {
          length += chunk.length;
          if (length <= maxBytes) {
            chunks.push(chunk);
            return;
          }
          chunks = [];
          resolve(undefined);
        })
        .once('end', () => resolve(decode(chunks)))
        .once('error', reject);
    });
  }

  /** A request for the SDK, without the body, because the SDK gets the body separately. */
  toRequest(signal: AbortSignal): Request {
    const headers = new Headers();
    const { rawHeaders } = this.#message;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    }
    return new Request(`http://127.0.0.1${this.path}`, { method: this.method, headers, signal });
  }
}

function decode(chunks: Buffer[]): string {
  const text = (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
