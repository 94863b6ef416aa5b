import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import type { SessionStatus } from '../types.ts';
import { type LinkOpener, ManagedSession } from './managed-session.ts';
import type { Timing } from './timing.ts';

/** At most one session, and so one driver process, for each connection. */
export class SessionPool {
  readonly #sessions = new Map<string, ManagedSession>();
  readonly #options: {
    opener(connectionId: string): LinkOpener;
    timing: Timing;
    log: Logger;
    events: EventHub;
  };
  #closed = false;

  constructor(options: {
    opener(connectionId: string): LinkOpener;
    timing: Timing;
    log: Logger;
    events: EventHub;
  }) {
    this.#options = options;
  }

  get(connectionId: string): ManagedSession {
    if (this.#closed) throw new AppError({ code: 'not_connected', message: 'The app is stopping' });
    let session = this.#sessions.get(connectionId);
    if (!session) {
      const { opener, timing, log, events } = this.#options;
      session = new ManagedSession({
        connectionId,
        opener: () => opener(connectionId),
        timing,
        log,
        onChange: (status) => events.emit({ type: 'sessionChanged', status }),
      });
      this.#sessions.set(connectionId, session);
    }
    return session;
  }

  status(connectionId: string): SessionStatus {
    const session = this.#sessions.get(connectionId);
    return session?.status ?? { connectionId, state: 'disconnected', capabilities: [] };
  }

  redact(connectionId: string): (text: string) => string {
    return this.#sessions.get(connectionId)?.redact ?? ((text) => text);
  }

  async close(connectionId: string): Promise<void> {
    await this.#sessions.get(connectionId)?.close();
  }

  async remove(connectionId: string): Promise<void> {
    const session = this.#sessions.get(connectionId);
    this.#sessions.delete(connectionId);
    await session?.close();
  }

  async closeAll(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#sessions.values()].map((session) => session.close()));
  }
}
