import { Duplex } from 'node:stream';
import { type FrameChannel, frameType, windowBytes } from './frames.ts';

/** The driver's end of a socket that the app has dialled. */
export class RelayedSocket extends Duplex {
  readonly #channel: FrameChannel;
  readonly #id: number;
  readonly #onGone: () => void;
  /** Bytes that the app still accepts. */
  #credit = windowBytes;
  #waiting: (() => void) | undefined;
  /** Bytes that were received and not yet returned as credit. */
  #consumed = 0;

  constructor(channel: FrameChannel, id: number, onGone: () => void) {
    super({ highWaterMark: 256 * 1024, allowHalfOpen: true });
    this.#channel = channel;
    this.#id = id;
    this.#onGone = onGone;
  }

  receive(bytes: Buffer): void {
    this.#consumed += bytes.length;
    if (this.push(bytes)) this.#giveCredit();
  }

  receiveEnd(): void {
    this.push(null);
  }

  /** The app's socket is closed. An empty code means a normal close. */
  receiveClose(code: string): void {
    // If both sides have ended, the stream closes by itself when everything was read. `destroy` would drop unread
    // bytes.
    if (code === '' && this.writableFinished) this.push(null);
    else if (code === '') this.destroy();
    else {
      const error = Object.assign(new Error(`The connection was lost (${code})`), { code });
      // The close frame may arrive in one chunk with `opened`. Then the driver does not listen for errors yet,
      // and the error would end its process.
      setImmediate(() => this.destroy(error));
    }
  }

  receiveCredit(bytes: number): void {
    this.#credit += bytes;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }

  override _read(): void {
    this.#giveCredit();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const part = chunk.subarray(0, this.#credit);
    this.#credit -= part.length;
    if (part.length > 0) this.#channel.send(frameType.data, this.#id, part);
    if (part.length === chunk.length) done();
    else this.#waiting = () => this._write(chunk.subarray(part.length), _encoding, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#channel.send(frameType.end, this.#id);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#channel.send(frameType.close, this.#id);
    this.#onGone();
    done(error);
  }

  /** Credit is returned in large amounts: a credit frame for each chunk would double the number of writes. */
  #giveCredit(): void {
    if (this.#consumed < windowBytes / 4) return;
    this.#channel.sendCredit(this.#id, this.#consumed);
    this.#consumed = 0;
  }
}
