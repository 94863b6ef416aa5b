import type { Socket } from 'node:net';

export interface SeatOptions {
  /** Sockets of peers that have proved themselves. */
  proved(): number;
  now?: () => number;
}

/** A socket gets this long to show a token or key. */
const proveMs = 10_000;
/** Over this many sockets without a proof, one that has had its moment goes. */
const calmUnproved = 32;
/** Every client of the machine may connect at the same moment, so a socket is not judged within its first second. */
const momentMs = 1_000;
const mostUnproved = 256;

/**
 * The seats of a listener on loopback, where every user of the machine can connect. A newcomer always finds one: the
 * oldest socket that has proved nothing makes room. So a stranger who holds sockets open keeps nobody out, and a peer
 * that has proved itself keeps its seat.
 */
export class Seats {
  readonly #options: SeatOptions;
  readonly #now: () => number;
  /** By socket since when, the oldest first. */
  readonly #unproved = new Map<Socket, number>();
  /** The number of requests under way, the least recently used first. */
  readonly #proved = new Map<Socket, number>();

  constructor(options: SeatOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Call it for every new socket of the listener. */
  take(socket: Socket): void {
    this.#makeRoom();
    this.#unproved.set(socket, this.#now());
    const timer = setTimeout(() => this.#unproved.has(socket) && socket.destroy(), proveMs).unref();
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
    while (this.#unproved.size >= calmUnproved) {
      const [oldest] = this.#unproved;
      if (!oldest) return;
      const [socket, since] = oldest;
      if (this.#unproved.size < mostUnproved && this.#now() - since < momentMs) return;
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
