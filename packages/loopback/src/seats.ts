import type { Socket } from 'node:net';

interface SeatOptions {
  /** The most sockets of proven peers at a time. */
  proved(): number;
}

/** A socket must send its token or key within this time. */
const proveMs = 10_000;
/** More than the kernel's listen queue (511), so sockets of one event loop turn cannot evict each other. */
const mostUnproved = 512;

/**
 * Limits the open sockets of a loopback listener: each socket needs a seat. Every user of the machine can connect. A
 * new socket always gets a seat: if all seats for unproven sockets are taken, it evicts the oldest of these sockets. So
 * an attacker who holds sockets open blocks nobody. A proven socket loses its seat only while it is idle, to another
 * proven one.
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

  /** Call it for each new socket of the listener. */
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
   * The peer has proved itself with this request, which runs until the returned function is called. False if all
   * seats for proven peers have running requests.
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
 * Waits until the event loop has read the data that the sockets have sent so far. After a stall, the event loop
 * accepts sockets and runs timers first. Without the wait, a socket would be evicted although its token has arrived.
 */
function afterReading(work: () => void): void {
  setImmediate(() => setImmediate(work));
}
