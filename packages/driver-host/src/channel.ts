import type { Duplex } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import { messageCost } from './message-cost.ts';
import { noMessage } from './protocol.ts';

/**
 * Structured messages over a pipe, each with its length in front. Node's own IPC channel has a similar format and
 * speed. But when the other end writes invalid bytes to the descriptor, Node throws an uncaught error in the
 * reader's process: a driver could end the app with one write. Here, invalid bytes only end the channel.
 */
export class Channel {
  readonly #stream: Duplex;
  readonly #handlers: ChannelHandlers;
  #chunks: Buffer[] = [];
  #held = 0;
  #needed = headerLength;
  #open = true;

  constructor(stream: Duplex, handlers: ChannelHandlers) {
    this.#stream = stream;
    this.#handlers = handlers;
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('error', () => this.#end());
    stream.on('close', () => this.#end());
  }

  /** Throws if the message contains a value that cannot be copied, such as a function, or is too large. */
  send(message: unknown): void {
    const body = serialize(message);
    if (body.length > maximumLength)
      throw new RangeError('The data is larger than 256 MB, the most that is sent at once');
    if (!this.#open) return;
    const header = Buffer.allocUnsafe(headerLength);
    header.writeUInt32LE(body.length);
    this.#stream.cork();
    this.#stream.write(header);
    this.#stream.write(body);
    this.#stream.uncork();
  }

  close(): void {
    this.#open = false;
    this.#stream.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    // A writer that sends byte by byte makes a chunk of each, and a chunk takes hundreds of bytes of memory.
    if (this.#chunks.length > mostChunks) this.#chunks = joinSmall(this.#chunks);
    while (this.#open && this.#held >= this.#needed) {
      const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
      this.#chunks = [bytes];
      const length = bytes.readUInt32LE();
      if (length > maximumLength) {
        this.#end(noMessage);
        return;
      }
      this.#needed = headerLength + length;
      if (bytes.length < this.#needed) return;
      this.#held = bytes.length - this.#needed;
      this.#chunks = this.#held > 0 ? [bytes.subarray(this.#needed)] : [];
      const body = bytes.subarray(headerLength, this.#needed);
      this.#needed = headerLength;
      this.#deliver(body);
    }
  }

  #deliver(body: Buffer): void {
    const { mostMemory } = this.#handlers;
    const cost = mostMemory === undefined ? 0 : messageCost(body, mostMemory);
    if (cost === undefined || cost > (mostMemory ?? 0)) {
      this.#end(cost === undefined ? noMessage : 'sent a message that would need too much memory');
      return;
    }
    let message: unknown;
    try {
      message = deserialize(body);
    } catch {
      this.#end(noMessage);
      return;
    }
    this.#handlers.onMessage(message);
  }

  #end(offence?: string): void {
    if (!this.#open) return;
    this.close();
    this.#handlers.onEnd(offence);
  }
}

interface ChannelHandlers {
  onMessage: (message: unknown) => void;
  /** `offence`: what the other end did wrong. Undefined if it only disconnected. */
  onEnd: (offence?: string) => void;
  /** How much memory a message may need when it is read. The other end is not trusted if this is set. */
  mostMemory?: number;
}

const headerLength = 4;

/**
 * The answer to a call is at most 64 MB. A batch of a stream may be larger, if one of its rows is huge. The limit keeps
 * a forged length from filling the memory of the reader.
 */
const maximumLength = 256 * 1024 * 1024;

const mostChunks = 1024;

/** Joins the last chunks. A chunk that is longer than all chunks after it stays, so a byte is copied only a few times. */
function joinSmall(chunks: Buffer[]): Buffer[] {
  let first = chunks.length;
  let length = 0;
  while (first > 0 && chunks[first - 1]!.length <= length + smallChunk) length += chunks[--first]!.length;
  return [...chunks.slice(0, first), Buffer.concat(chunks.slice(first), length)];
}

const smallChunk = 64 * 1024;
