import type { Socket } from 'node:net';

interface SeatOptions {
  /** The maximum of open sockets that sent a valid token or key. */
  proved(): number;
}

/** A socket must send its token or key within this time. */
const proveMs = 10_000;
/**
 * As many sockets as the listen queue can hold on Linux: Node asks for 511, and Linux adds one. With fewer seats, the
 * sockets of a full queue would evict each other.
 */
const mostUnproved = 512;

/**
 * Limits the open sockets of a loopback listener: each socket needs a seat. Every user of the machine can connect. A
 * new socket always gets a seat: if all seats for unproven sockets are taken, it evicts the oldest of these sockets. So
 * an attacker cannot block others by holding sockets open. A proven socket loses its seat only while it is idle, to
 * another proven one.
 */
export class Seats {
  readonly #options: SeatOptions;
  /** Oldest first. */
  readonly #unproved = new Set<Socket>();
  /** The number of running requests of each socket. A socket moves to the end when a request begins or ends. */
  readonly #proved = new Map<Socket, number>();

  constructor(options: SeatOptions) {
    this.#options = options;
  }

  /** The listener calls this method for each new socket. */
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
   * The listener calls this method for each request with a valid token or key. It calls the returned function when the
   * request ends. The method returns false if the socket is not proven yet and every seat for proven sockets has a
   * running request.
   */
  prove(socket: Socket): (() => void) | false {
    const busy = this.#proved.get(socket) ?? 0;
    if (!this.#proved.has(socket) && !this.#freeProved()) return false;
    this.#unproved.delete(socket);
    this.#proved.delete(socket);
    this.#proved.set(socket, busy + 1);
    return () => {
      const left = this.#proved.get(socket);
      if (left === undefined) return;
      this.#proved.delete(socket);
      this.#proved.set(socket, left - 1);
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
    const most = this.#options.proved();
    // The limit may have been lowered, so closing one idle socket may not be enough.
    for (const [socket, busy] of this.#proved) {
      if (this.#proved.size < most) break;
      if (busy > 0) continue;
      this.#proved.delete(socket);
      socket.destroy();
    }
    return this.#proved.size < most;
  }
}

/**
 * Waits until the event loop has read the data that the sockets have sent so far. After a stall, the event loop may run
 * a timer or accept a socket before it reads from the others. Without the wait, a socket would be closed although its
 * token has arrived.
 */
function afterReading(work: () => void): void {
  setImmediate(() => setImmediate(work));
}
