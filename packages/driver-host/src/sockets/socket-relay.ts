import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { type DriverErrorDetails, driverErrorDetails } from '@trestle/driver-kit';
import { type DialEvent, type DialTarget, dial } from './dial.ts';
import { DialBudget } from './dial-budget.ts';
import { FrameChannel, type FrameType, frameType, readCredit, windowBytes } from './frames.ts';
import { JoinedWrites } from './joined-writes.ts';

interface Options {
  /** Throws if the connection's fields name no valid host and port. */
  target: () => DialTarget;
  onDial?: (event: DialEvent) => void;
  /** The driver broke a rule, and the relay has ended. */
  onOffence: (offence: string) => void;
}

/** Dials for one driver process, inside the app, and relays the bytes of each socket. */
export class SocketRelay {
  readonly #options: Options;
  readonly #channel: FrameChannel;
  readonly #budget = new DialBudget();
  readonly #sockets = new Map<number, Relayed>();

  constructor(pipe: Duplex, options: Options) {
    this.#options = options;
    this.#channel = new FrameChannel(pipe, {
      onFrame: (type, id, body) => this.#receive(type, id, body),
      onEnd: (offence) => {
        this.#dropAll();
        if (offence) options.onOffence(offence);
      },
      onDrain: () => {
        for (const one of this.#sockets.values()) this.#resume(one);
      },
      mostUnread,
    });
  }

  close(): void {
    this.#channel.end();
  }

  #receive(type: FrameType, id: number, body: Buffer): void {
    if (type === frameType.open) this.#open(id, body);
    const one = this.#sockets.get(id);
    // No socket: the driver may have sent this frame before it knew that the socket was closed.
    if (!one) return;
    switch (type) {
      case frameType.data:
        this.#write(one, body);
        break;
      case frameType.end:
        one.writes?.end();
        break;
      case frameType.close:
        this.#drop(id);
        break;
      case frameType.credit:
        one.credit = Math.min(one.credit + readCredit(body), windowBytes);
        this.#resume(one);
    }
  }

  #open(id: number, body: Buffer): void {
    if (body.length > 0 || this.#sockets.has(id)) {
      this.#channel.end('sent an invalid request for a socket');
      return;
    }
    const place = this.#budget.take();
    if (place === 'stop') this.#channel.end('asked for too many sockets');
    else if (place === 'too_many') this.#fail(id, tooMany);
    else void this.#dial(id, place);
  }

  async #dial(id: number, waitMs: number): Promise<void> {
    const controller = new AbortController();
    const one: Relayed = {
      controller,
      socket: undefined,
      writes: undefined,
      credit: windowBytes,
      written: 0,
    };
    this.#sockets.set(id, one);
    try {
      const { signal } = one.controller;
      const { onDial: onEvent } = this.#options;
      if (waitMs > 0) await setTimeout(waitMs, undefined, { signal });
      const socket = await dial(this.#options.target(), { signal, timeoutMs, ...(onEvent && { onEvent }) });
      if (signal.aborted) socket.destroy();
      else this.#attach(one, id, socket);
    } catch (error) {
      if (this.#sockets.get(id) !== one) return;
      this.#forget(id);
      this.#fail(id, driverErrorDetails(error));
    }
  }

  #attach(one: Relayed, id: number, socket: Socket): void {
    one.socket = socket;
    one.writes = new JoinedWrites(socket, (bytes) => this.#onWritten(one, id, bytes));
    this.#channel.send(frameType.opened, id);
    let code = '';
    socket.on('data', (chunk: Buffer) => {
      one.credit -= chunk.length;
      const more = this.#channel.send(frameType.data, id, chunk);
      if (!more || one.credit <= 0) socket.pause();
    });
    // While the pipe is full, a new socket is not read: its bytes would pile up in the app.
    if (this.#channel.isFull) socket.pause();
    socket.on('end', () => this.#channel.send(frameType.end, id));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code ?? 'ECONNRESET';
    });
    socket.on('close', () => {
      if (this.#sockets.get(id) !== one) return;
      this.#forget(id);
      this.#channel.send(frameType.close, id, Buffer.from(code));
    });
  }

  /**
   * Bounds the bytes that wait for the socket. Stops a driver that sends data before its socket is open, or far more
   * than its credit allows.
   */
  #write({ writes }: Relayed, body: Buffer): void {
    if (!writes || writes.waiting + body.length > 2 * windowBytes)
      this.#channel.end('sent more than its socket takes');
    else writes.write(body);
  }

  /** Returns credit in large amounts, so that fewer frames are sent. */
  #onWritten(one: Relayed, id: number, bytes: number): void {
    one.written += bytes;
    if (one.written < windowBytes / 4) return;
    this.#channel.sendCredit(id, one.written);
    one.written = 0;
  }

  #resume({ socket, credit }: Relayed): void {
    if (socket?.isPaused() && credit > 0 && !this.#channel.isFull) socket.resume();
  }

  #fail(id: number, details: DriverErrorDetails): void {
    this.#channel.send(frameType.failed, id, Buffer.from(JSON.stringify(details)));
  }

  #drop(id: number): void {
    const one = this.#sockets.get(id);
    this.#forget(id);
    one?.controller.abort();
    one?.socket?.destroy();
  }

  #dropAll(): void {
    for (const id of [...this.#sockets.keys()]) this.#drop(id);
  }

  #forget(id: number): void {
    if (this.#sockets.delete(id)) this.#budget.release();
  }
}

interface Relayed {
  controller: AbortController;
  /** Undefined while dialling. */
  socket: Socket | undefined;
  writes: JoinedWrites | undefined;
  /** Bytes that the driver still accepts. */
  credit: number;
  /** Bytes that the socket accepted and that were not yet returned as credit. */
  written: number;
}

/**
 * How many control frames may wait until the driver reads them: far more than 64 sockets need. A frame takes about
 * 200 bytes in the app. Without this limit, a driver that asks for sockets and never reads would fill the app's memory
 * within a day.
 */
const mostUnread = 10_000;

/** How long a dial may take, with its DNS lookup. */
const timeoutMs = 10_000;

const tooMany: DriverErrorDetails = {
  code: 'connection_failed',
  message: 'Connection failed: the driver has too many sockets open',
  hint: 'Close the connection and open it again.',
};
