import type { RunningHandshake } from '@trestle/handshake';
import { type Connection, openConnection } from './connection.ts';

/** The connections to one start of the app; a few are kept for the next calls, each with its proof made. */
export class ConnectionPool {
  readonly #handshake: RunningHandshake;
  readonly #used = new Set<Connection>();
  #free: { connection: Connection; since: number }[] = [];

  constructor(handshake: RunningHandshake) {
    this.#handshake = handshake;
  }

  /** Rejects with a `ConnectFailure` before the work has begun, or as the work does. */
  async use<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = this.#takeFree() ?? (await openConnection(this.#handshake));
    this.#used.add(connection);
    try {
      return await work(connection);
    } finally {
      this.#used.delete(connection);
      this.#keep(connection);
    }
  }

  close(): void {
    for (const connection of [...this.#used, ...this.#free.map((one) => one.connection)]) connection.end();
  }

  #takeFree(): Connection | undefined {
    const fresh = process.uptime() - maxIdleSeconds;
    for (let last = this.#free.pop(); last; last = this.#free.pop()) {
      if (last.connection.isFree && last.since > fresh) return last.connection;
      last.connection.end();
    }
    return undefined;
  }

  #keep(connection: Connection): void {
    this.#free = this.#free.filter((one) => one.connection.isFree);
    if (connection.isFree && this.#free.length < maxFree)
      this.#free.push({ connection, since: process.uptime() });
    else connection.end();
  }
}

const maxFree = 4;
/** The app closes them after 75: a request that crosses with that would be lost. */
const maxIdleSeconds = 60;
