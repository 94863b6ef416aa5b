import type { Duplex } from 'node:stream';
import { type Call, DriverError, type DriverErrorDetails } from '@trestle/driver-kit';
import { closed } from '../stop-reasons.ts';
import { FrameChannel, frameType, readCredit } from './frames.ts';
import { RelayedSocket } from './relayed-socket.ts';

/** Asks the app for sockets, inside the driver's process. */
export class DialClient {
  readonly #channel: FrameChannel;
  readonly #dialling = new Map<number, PromiseWithResolvers<Duplex>>();
  readonly #sockets = new Map<number, RelayedSocket>();
  #nextId = 1;
  #ended = false;

  constructor(pipe: Duplex) {
    this.#channel = new FrameChannel(pipe, {
      onFrame: (type, id, body) => {
        if (type === frameType.opened) this.#opened(id);
        else if (type === frameType.failed) this.#failed(id, body);
        else {
          const socket = this.#sockets.get(id);
          if (type === frameType.data) socket?.receive(body);
          else if (type === frameType.end) socket?.receiveEnd();
          else if (type === frameType.close) socket?.receiveClose(body.toString());
          else if (type === frameType.credit) socket?.receiveCredit(readCredit(body));
        }
      },
      onEnd: () => {
        this.#ended = true;
        for (const dialling of this.#dialling.values()) dialling.reject(new DriverError(closed()));
        this.#dialling.clear();
        for (const socket of this.#sockets.values()) socket.receiveClose('ECONNRESET');
      },
    });
  }

  async dial({ signal }: Call): Promise<Duplex> {
    const cancelled = () => new DriverError({ code: 'cancelled', message: 'Cancelled' });
    if (signal.aborted) throw cancelled();
    if (this.#ended) throw new DriverError(closed());
    const id = this.#nextId++;
    const dialling = Promise.withResolvers<Duplex>();
    this.#dialling.set(id, dialling);
    this.#channel.send(frameType.open, id);
    const onAbort = () => {
      this.#dialling.delete(id);
      this.#channel.send(frameType.close, id);
      dialling.reject(cancelled());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await dialling.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #opened(id: number): void {
    const dialling = this.#dialling.get(id);
    if (!dialling) return;
    this.#dialling.delete(id);
    const socket = new RelayedSocket(this.#channel, id, () => this.#sockets.delete(id));
    this.#sockets.set(id, socket);
    dialling.resolve(socket);
  }

  #failed(id: number, body: Buffer): void {
    const details = JSON.parse(body.toString()) as DriverErrorDetails;
    this.#dialling.get(id)?.reject(new DriverError(details));
    this.#dialling.delete(id);
  }
}
