import type { DriverLink } from '@trestle/driver-host';
import type { Logger } from 'pino';
import { AppError, type AppErrorDetails, appErrorDetails } from '../errors.ts';
import { cancelledError, redactor, toAppError } from '../queries/translate-error.ts';
import type { SessionStatus } from '../types.ts';
import { SharedTask } from './shared-task.ts';
import type { Timing } from './timing.ts';

export interface LinkOpener {
  /** Starts the driver's process and connects. `onExit` tells of an end nobody asked for. */
  open(options: {
    signal: AbortSignal;
    timeoutMs: number;
    onSecrets(values: string[]): void;
    onExit(error: AppErrorDetails): void;
  }): Promise<DriverLink>;
  /** Calls cannot be interrupted. */
  serial: boolean;
}

interface Options {
  connectionId: string;
  opener: () => LinkOpener;
  timing: Timing;
  log: Logger;
  onChange(status: SessionStatus): void;
}

type Standing = Omit<SessionStatus, 'connectionId' | 'capabilities' | 'pid' | 'server'>;

/**
 * One connection's session: `disconnected → connecting → connected → reconnecting → connected | disconnected |
 * failed`. Only a network fault, an authentication fault and the end of the driver's process change the state.
 */
export class ManagedSession {
  readonly #options: Options;
  #standing: Standing = { state: 'disconnected' };
  #link: DriverLink | undefined;
  #opening: SharedTask<DriverLink> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #attempt = 0;
  #running = 0;
  /** Kept after the end: an error of the last call may still come. */
  #secrets: string[] = [];
  readonly #closing = new Set<Promise<void>>();

  constructor(options: Options) {
    this.#options = options;
  }

  get status(): SessionStatus {
    const link = this.#link;
    return {
      connectionId: this.#options.connectionId,
      ...this.#standing,
      capabilities: link?.capabilities ?? [],
      ...(link && { server: link.session.server, pid: link.pid }),
    };
  }

  get redact(): (text: string) => string {
    return redactor(this.#secrets);
  }

  /** `retryFailed`: try again although the server refused the credentials, because a person asks for it. */
  async open(signal: AbortSignal, { retryFailed = false } = {}): Promise<DriverLink> {
    if (signal.aborted) throw cancelledError();
    if (this.#link) return this.#link;
    const { state, error } = this.#standing;
    if (state === 'failed' && error?.code === 'authentication_failed' && !retryFailed)
      throw new AppError(error);
    return this.#attemptOpen().join(signal);
  }

  /** Runs a call on the open session, opening it first, and draws the state's conclusions from its failure. */
  async use<T>(signal: AbortSignal, call: (link: DriverLink) => Promise<T>): Promise<T> {
    const link = await this.open(signal);
    this.#running++;
    try {
      return await call(link);
    } catch (error) {
      this.noteFailure(link, error);
      throw error;
    } finally {
      this.#callEnded(link);
    }
  }

  /** As `use`, for a stream: the call lasts until the consumer has finished with it. */
  async *stream<T>(
    signal: AbortSignal,
    call: (link: DriverLink) => AsyncIterable<T>,
  ): AsyncGenerator<T, void> {
    const link = await this.open(signal);
    this.#running++;
    try {
      yield* call(link);
    } catch (error) {
      this.noteFailure(link, error);
      throw error;
    } finally {
      this.#callEnded(link);
    }
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.abort();
    this.#dropLink();
    this.#become({ state: 'disconnected' });
    await Promise.all([opening?.settled, ...this.#closing]);
  }

  noteFailure(link: DriverLink, error: unknown): void {
    if (link !== this.#link) return;
    const details = appErrorDetails(toAppError(error, this.redact));
    if (details.code === 'authentication_failed') this.#fail(details);
    else if (details.code === 'connection_failed') this.#loseConnection(details);
    // The next call must not find the dead process, whichever news of its end comes first.
    else if (details.code === 'driver_crashed') this.#loseProcess(details);
  }

  #attemptOpen(): SharedTask<DriverLink> {
    if (this.#opening) return this.#opening;
    clearTimeout(this.#timer);
    const again = this.#standing.state === 'reconnecting';
    const task: SharedTask<DriverLink> = new SharedTask((signal) =>
      this.#connect(signal, again, () => this.#opening === task),
    );
    this.#opening = task;
    this.#become(again ? { state: 'reconnecting', error: this.#standing.error } : { state: 'connecting' });
    return task;
  }

  async #connect(signal: AbortSignal, again: boolean, isCurrent: () => boolean): Promise<DriverLink> {
    // The task that runs this must be in place before anything here can end.
    await Promise.resolve();
    let link: DriverLink | undefined;
    try {
      link = await this.#options.opener().open({
        signal,
        timeoutMs: this.#options.timing.connectMs,
        onSecrets: (values) => {
          this.#secrets = values;
        },
        onExit: (error) => {
          if (link && link === this.#link) this.#loseProcess(error);
        },
      });
    } catch (error) {
      const failure = toAppError(error, this.redact);
      if (isCurrent()) {
        this.#opening = undefined;
        this.#openFailed(appErrorDetails(failure), again);
      }
      throw failure;
    }
    if (!isCurrent()) {
      await link.close();
      throw cancelledError('The connection was closed');
    }
    this.#opening = undefined;
    this.#link = link;
    this.#attempt = 0;
    this.#become({ state: 'connected' });
    this.#scheduleHealth(link);
    return link;
  }

  #openFailed(error: AppErrorDetails, again: boolean): void {
    const cancelled = error.code === 'cancelled';
    if (again && (cancelled || unreachable.has(error.code))) {
      this.#scheduleReconnect((cancelled && this.#standing.error) || error);
    } else if (cancelled) this.#become({ state: 'disconnected' });
    else this.#fail(error);
  }

  /** Nothing is retried by itself; after wrong credentials, nothing at all until a person acts. */
  #fail(error: AppErrorDetails): void {
    this.#dropLink();
    this.#become({ state: 'failed', error });
  }

  #loseConnection(error: AppErrorDetails): void {
    this.#dropLink();
    this.#scheduleReconnect(error);
  }

  #loseProcess(error: AppErrorDetails): void {
    const othersGoOn = this.#options.opener().serial && this.#running > 1;
    // The exit and the call it failed both bring the news.
    if (othersGoOn && this.#standing.state === 'reconnecting') return;
    this.#options.log.error(
      { connection: this.#options.connectionId, problem: error.message },
      'Driver ended',
    );
    // Calls that had not begun wait in the link, which opens a new process for them; to close it would fail them.
    if (!othersGoOn) this.#dropLink();
    this.#become({ state: othersGoOn ? 'reconnecting' : 'disconnected', error });
  }

  #callEnded(link: DriverLink): void {
    this.#running--;
    const { state, error } = this.#standing;
    if (link !== this.#link || state !== 'reconnecting') return;
    if (link.pid !== undefined) this.#become({ state: 'connected' });
    else if (this.#running === 0) {
      this.#dropLink();
      this.#become({ state: 'disconnected', error });
    }
  }

  #scheduleReconnect(error: AppErrorDetails): void {
    const delay = this.#options.timing.backoffMs(++this.#attempt);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Nobody else may be waiting for this attempt; its outcome shows in the state.
      this.#attemptOpen()
        .join(new AbortController().signal)
        .catch(() => {});
    }, delay);
    this.#timer.unref();
    this.#become({ state: 'reconnecting', error, retryAt: new Date(Date.now() + delay).toISOString() });
  }

  #scheduleHealth(link: DriverLink): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#checkHealth(link), this.#options.timing.healthMs);
    this.#timer.unref();
  }

  async #checkHealth(link: DriverLink): Promise<void> {
    // In a serial driver a check would wait behind a long statement, and its deadline would end the process.
    if (this.#running > 0 && this.#options.opener().serial) return this.#scheduleHealth(link);
    try {
      const signal = new AbortController().signal;
      const { warning } = await link.session.health({
        signal,
        timeoutMs: this.#options.timing.healthTimeoutMs,
      });
      if (link === this.#link) this.#warn(warning && this.redact(warning));
    } catch (error) {
      if (link !== this.#link) return;
      const details = appErrorDetails(toAppError(error, this.redact));
      if (details.code === 'authentication_failed') return this.#fail(details);
      if (unreachable.has(details.code)) return this.#loseConnection(details);
      this.#warn(details.message);
    }
    if (link === this.#link) this.#scheduleHealth(link);
  }

  #warn(warning: string | undefined): void {
    if (warning === this.#standing.warning) return;
    this.#become({ ...this.#standing, warning });
  }

  #dropLink(): void {
    clearTimeout(this.#timer);
    const link = this.#link;
    this.#link = undefined;
    if (!link) return;
    const closing = link
      .close()
      .catch((error: unknown) => {
        this.#options.log.warn({ problem: this.redact(String(error)) }, 'A driver did not close cleanly');
      })
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  #become(standing: Standing): void {
    if (standing.state !== 'reconnecting') this.#attempt = 0;
    this.#standing = withoutUndefined(standing);
    this.#options.onChange(this.status);
  }
}

const unreachable = new Set<string>(['connection_failed', 'timeout', 'driver_crashed']);

function withoutUndefined(standing: Standing): Standing {
  return Object.fromEntries(
    Object.entries(standing).filter(([, value]) => value !== undefined),
  ) as unknown as Standing;
}
