import type { Socket } from 'node:net';

export interface SeatOptions {
  /** Sockets of peers that have proved themselves. */
  proved(): number;
}

/** A socket gets this long to show a token or key. */
const proveMs = 10_000;
/** More than the kernel queues for a listener (511): sockets of one turn of the event loop cannot push each other out. */
const mostUnproved = 512;

/**
 * The seats of a listener on loopback, where every user of the machine can connect. A newcomer always finds one: the
 * oldest socket that has proved nothing makes room. So a stranger who holds sockets open keeps nobody out, and a peer
 * that has proved itself keeps its seat.
 */
export class Seats {
  readonly #options: SeatOptions;
  /** The oldest first. */
  readonly #unproved = new Set<Socket>();
  /** The number of requests under way, the least recently used first. */
  readonly #proved = new Map<Socket, number>();

  constructor(options: SeatOptions) {
    this.#options = options;
  }

  /** Call it for every new socket of the listener. */
  take(socket: Socket): void {
    this.#unproved.add(socket);
    if (this.#unproved.size > mostUnproved) afterReading(() => this.#makeRoom());
    const timer = setTimeout(
      () => afterReading(() => this.#unproved.has(socket) && socket.destroy()),
      proveMs,
    ).unref();
    socket.once('close', () => {
      clearTimeout(timer);
      this.#unproved.delete(socket);
      this.#proved.delete(socket);
    });
  }

  /**
   * The peer has proved itself with the request that is now served, until the function is called. False where every
   * seat for such peers is taken by one with a request under way.
   */
  prove(socket: Socket): (() => void) | false {
    const busy = this.#proved.get(socket) ?? 0;
    if (!this.#proved.has(socket) && !this.#freeProved()) return false;
    this.#unproved.delete(socket);
    this.#proved.delete(socket);
    this.#proved.set(socket, busy + 1);
    return () => {
      const left = this.#proved.get(socket);
      if (left !== undefined) this.#proved.set(socket, left - 1);
    };
  }

  #makeRoom(): void {
    for (const socket of this.#unproved) {
      if (this.#unproved.size <= mostUnproved) return;
      this.#unproved.delete(socket);
      socket.destroy();
    }
  }

  #freeProved(): boolean {
    if (this.#proved.size < this.#options.proved()) return true;
    for (const [socket, busy] of this.#proved) {
      if (busy > 0) continue;
      this.#proved.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }
}

/**
 * Waits until the event loop has read what the sockets had sent by now. After a stall it accepts sockets and runs timers
 * first: without the wait a socket would go although its token is here.
 */
function afterReading(work: () => void): void {
  setImmediate(() => setImmediate(work));
}
