import type { Duplex } from 'node:stream';

/**
 * Frames carry the bytes of several sockets over one pipe. A frame has a header of nine bytes (type, id of the socket,
 * length of the body), then the body. Node could pass a connected socket instead, but only through its IPC channel,
 * which throws in the app when a driver writes raw bytes to it.
 */
export const frameType = {
  /** Driver to app: dial. The body is empty, so a driver cannot name a host. */
  open: 1,
  opened: 2,
  /** App to driver: the app opened no socket. The body is the error as JSON. */
  failed: 3,
  data: 4,
  /** The sender of this frame sends no more data. */
  end: 5,
  /** The socket is gone, or the driver cancels its dial. The body is an error code, or empty. */
  close: 6,
  /** The receiver of this frame may send more bytes. The body is their number (uint32). */
  credit: 7,
} as const;

export type FrameType = (typeof frameType)[keyof typeof frameType];

/** About how many bytes may be in flight per socket and direction. */
export const windowBytes = 1024 * 1024;

interface FrameHandlers {
  /** Data is passed on in the chunks in which it is read. All other frames are passed on complete. */
  onFrame: (type: FrameType, id: number, body: Buffer) => void;
  /** `offence`: how the other end broke a rule. Undefined if the pipe only closed. */
  onEnd: (offence?: string) => void;
  /** The pipe accepts bytes again. */
  onDrain?: () => void;
  /**
   * How many control frames (all frames except data) may wait unread. If the other end leaves more unread, it breaks a
   * rule. Data frames have their own limit. Defaults to no limit.
   */
  mostUnread?: number;
}

export class FrameChannel {
  readonly #stream: Duplex;
  readonly #handlers: FrameHandlers;
  #rest: Buffer = empty;
  /** The data frame that is being read. */
  #dataId = 0;
  #dataLeft = 0;
  #open = true;
  /** Control frames that were sent while the stream was above its highWaterMark, since it last drained. */
  #unread = 0;

  constructor(stream: Duplex, handlers: FrameHandlers) {
    this.#stream = stream;
    this.#handlers = handlers;
    stream.on('data', (chunk: Buffer) => this.#receive(chunk));
    stream.on('error', () => this.end());
    stream.on('close', () => this.end());
    stream.on('drain', () => {
      this.#unread = 0;
      handlers.onDrain?.();
    });
  }

  /** Returns false if the pipe is full. `onDrain` runs when the pipe accepts bytes again. */
  send(type: FrameType, id: number, body: Uint8Array = empty): boolean {
    if (!this.#open) return true;
    const header = Buffer.allocUnsafe(headerLength);
    header.writeUInt8(type);
    header.writeUInt32LE(id, 1);
    header.writeUInt32LE(body.length, 5);
    this.#stream.cork();
    this.#stream.write(header);
    if (body.length > 0) this.#stream.write(body);
    this.#stream.uncork();
    if (type !== frameType.data && this.#stream.writableNeedDrain) this.#countUnread();
    return !this.isFull;
  }

  #countUnread(): void {
    if (++this.#unread <= (this.#handlers.mostUnread ?? Number.POSITIVE_INFINITY)) return;
    this.end('does not read its socket pipe');
  }

  sendCredit(id: number, bytes: number): void {
    const body = Buffer.allocUnsafe(4);
    body.writeUInt32LE(bytes);
    this.send(frameType.credit, id, body);
  }

  /**
   * The pipe counts as full at half of `windowBytes`, not at its highWaterMark. One chunk from the database's socket
   * already reaches the highWaterMark, and a transfer that pauses after each chunk takes a quarter longer.
   */
  get isFull(): boolean {
    return this.#stream.writableLength >= windowBytes / 2;
  }

  end(offence?: string): void {
    if (!this.#open) return;
    this.#open = false;
    this.#stream.destroy();
    this.#handlers.onEnd(offence);
  }

  #receive(chunk: Buffer): void {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = empty;
    while (this.#open && bytes.length > 0) {
      if (this.#dataLeft > 0) {
        const piece = bytes.subarray(0, this.#dataLeft);
        this.#dataLeft -= piece.length;
        bytes = bytes.subarray(piece.length);
        this.#handlers.onFrame(frameType.data, this.#dataId, piece);
        continue;
      }
      if (bytes.length < headerLength) break;
      const type = bytes.readUInt8();
      const length = bytes.readUInt32LE(5);
      if (!isFrameType(type) || length > (type === frameType.data ? windowBytes : longestBody)) {
        this.end('wrote an invalid frame to its socket pipe');
        return;
      }
      if (type === frameType.data) {
        this.#dataId = bytes.readUInt32LE(1);
        this.#dataLeft = length;
        bytes = bytes.subarray(headerLength);
        continue;
      }
      if (bytes.length < headerLength + length) break;
      this.#handlers.onFrame(
        type,
        bytes.readUInt32LE(1),
        bytes.subarray(headerLength, headerLength + length),
      );
      bytes = bytes.subarray(headerLength + length);
    }
    this.#rest = bytes;
  }
}

export function readCredit(body: Buffer): number {
  return body.length === 4 ? body.readUInt32LE() : 0;
}

function isFrameType(type: number): type is FrameType {
  return type >= frameType.open && type <= frameType.credit;
}

const empty = Buffer.alloc(0);
const headerLength = 9;

/** The most bytes in the body of a control frame. Error messages are the longest bodies. */
const longestBody = 64 * 1024;
