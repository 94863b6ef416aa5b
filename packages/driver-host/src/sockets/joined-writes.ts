import type { Writable } from 'node:stream';

/**
 * Writes to a socket that may block for a while. Joins the waiting chunks: a driver may send single bytes, and one
 * write per byte would take a hundred times the memory.
 */
export class JoinedWrites {
  readonly #socket: Writable;
  readonly #onWritten: (bytes: number) => void;
  /** Every block except the last is full. */
  #blocks: Buffer[] = [];
  #held = 0;
  #writing = 0;
  #ending = false;

  constructor(socket: Writable, onWritten: (bytes: number) => void) {
    this.#socket = socket;
    this.#onWritten = onWritten;
  }

  /** Bytes that the socket has not accepted yet. */
  get waiting(): number {
    return this.#writing + this.#held;
  }

  write(bytes: Buffer): void {
    if (this.#writing === 0) this.#send(bytes);
    else this.#hold(bytes);
  }

  /** Ends the socket after everything is written. */
  end(): void {
    this.#ending = true;
    if (this.#writing === 0) this.#socket.end();
  }

  #send(bytes: Buffer): void {
    this.#writing = bytes.length;
    this.#socket.write(bytes, (error) => {
      if (error) return;
      this.#writing = 0;
      this.#onWritten(bytes.length);
      if (this.#held > 0) this.#send(this.#take());
      else if (this.#ending) this.#socket.end();
    });
  }

  #hold(bytes: Buffer): void {
    for (let from = 0; from < bytes.length; ) {
      const used = this.#held % blockBytes;
      if (used === 0) this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes));
      const copied = bytes.copy(this.#blocks.at(-1)!, used, from);
      from += copied;
      this.#held += copied;
    }
  }

  #take(): Buffer {
    const all = Buffer.concat(this.#blocks, this.#held);
    this.#blocks = [];
    this.#held = 0;
    return all;
  }
}

const blockBytes = 64 * 1024;
