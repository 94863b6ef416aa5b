import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import type { EventHub } from '../events/events.ts';
import { own } from '../own-text.ts';
import type { Timing } from '../timing.ts';
import type { Caller, SessionStatus } from '../types.ts';
import { type LinkOpener, ManagedSession } from './managed-session.ts';

type CallerKind = Caller['kind'];

interface Options {
  opener(connectionId: string): LinkOpener;
  /** The driver runs one call at a time. */
  isSerial(connectionId: string): boolean;
  /** Ends client calls that may hold a lock. Returns false if no such call was running. */
  endClientCalls(connectionId: string): Promise<boolean>;
  timing: Timing;
  log: Logger;
  events: EventHub;
}

/**
 * One session per connection. A connection with a serial driver has a second session for external clients. Otherwise
 * the user's grid would wait for a client's statement. The window shows the status of the user's session.
 */
export class SessionPool {
  readonly #sessions: Record<CallerKind, Map<string, ManagedSession>> = {
    person: new Map(),
    client: new Map(),
  };
  readonly #options: Options;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get(connectionId: string, caller: CallerKind): ManagedSession {
    if (this.#closed) throw new AppError({ code: 'not_connected', message: own`The app is stopping` });
    const isApart = this.#isApart(connectionId, caller);
    const sessions = this.#sessions[isApart ? 'client' : 'person'];
    let session = sessions.get(connectionId);
    if (!session) {
      session = isApart ? this.#clientSession(connectionId) : this.#sharedSession(connectionId);
      sessions.set(connectionId, session);
    }
    return session;
  }

  status(connectionId: string, caller: CallerKind = 'person'): SessionStatus {
    // A client session may still be in the map although the driver is no longer serial.
    const apart = this.#isApart(connectionId, caller) ? this.#sessions.client.get(connectionId) : undefined;
    const session = apart ?? this.#sessions.person.get(connectionId);
    return session?.status ?? { connectionId, state: 'disconnected', capabilities: [] };
  }

  /** Whether a driver process runs for the connection, is starting, or will start again (`reconnecting`). */
  isOpen(connectionId: string): boolean {
    return this.countOpen(connectionId) > 0;
  }

  countOpen(connectionId: string): number {
    return this.#of(connectionId).filter(({ status: { state, installing } }) => {
      // A connection that is waiting for its driver's install does not use the driver yet.
      return state !== 'disconnected' && state !== 'failed' && !installing;
    }).length;
  }

  redact(connectionId: string): (text: string) => string {
    const redactors = this.#of(connectionId).map(({ redact }) => redact);
    return (text) => redactors.reduce((rest, redact) => redact(rest), text);
  }

  async close(connectionId: string): Promise<void> {
    await Promise.all(this.#of(connectionId).map((session) => session.close()));
  }

  async remove(connectionId: string): Promise<void> {
    const sessions = this.#of(connectionId);
    for (const map of Object.values(this.#sessions)) map.delete(connectionId);
    await Promise.all(sessions.map((session) => session.close()));
  }

  async closeAll(): Promise<void> {
    this.#closed = true;
    const all = Object.values(this.#sessions).flatMap((sessions) => [...sessions.values()]);
    await Promise.all(all.map((session) => session.close()));
  }

  #isApart(connectionId: string, caller: CallerKind): boolean {
    return caller === 'client' && this.#options.isSerial(connectionId);
  }

  #of(connectionId: string): ManagedSession[] {
    return Object.values(this.#sessions).flatMap((sessions) => sessions.get(connectionId) ?? []);
  }

  #sharedSession(connectionId: string): ManagedSession {
    const { opener, isSerial, endClientCalls, timing, log, events } = this.#options;
    return new ManagedSession({
      connectionId,
      opener: () => opener(connectionId),
      timing,
      log,
      onChange: (status) => events.emit({ type: 'sessionChanged', status }),
      onLocked: async () => isSerial(connectionId) && (await endClientCalls(connectionId)),
    });
  }

  #clientSession(connectionId: string): ManagedSession {
    const { opener, timing, log } = this.#options;
    return new ManagedSession({
      connectionId,
      opener: () => opener(connectionId),
      timing,
      log,
      onChange: () => {},
      idleMs: timing.clientIdleMs,
    });
  }
}
