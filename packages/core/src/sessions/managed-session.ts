import { type DriverLink, NotSentError, redactor } from '@trestle/driver-host';
import type { ConnectStage } from '@trestle/driver-kit';
import type { Logger } from 'pino';
import { AppError, type AppErrorDetails, appErrorDetails } from '../errors.ts';
import { own } from '../own-text.ts';
import { SharedTask } from '../shared-task.ts';
import type { Timing } from '../timing.ts';
import { cancelledError, toAppError } from '../translate-error.ts';
import type { SessionStatus } from '../types.ts';
import { EndingLinks } from './ending-links.ts';
import { OpenLink } from './open-link.ts';

export interface LinkOpener {
  /** Starts the driver's process and connects it to the database. `onExit` reports an unexpected exit. */
  open(options: {
    signal: AbortSignal;
    timeoutMs: number;
    /** Called with true when an install of the driver begins, and with false when it succeeded. */
    onInstalling(installing: boolean): void;
    onSecrets(values: string[]): void;
    onStage?(stage: ConnectStage): void;
    onExit(error: AppErrorDetails): void;
  }): Promise<DriverLink>;
  /** The driver runs one call at a time, and cannot interrupt it. */
  serial: boolean;
}

interface Options {
  connectionId: string;
  opener: () => LinkOpener;
  timing: Timing;
  log: Logger;
  onChange(status: SessionStatus): void;
  /** Called before a retry when the database is locked. Returns true if calls that may hold the lock were ended. */
  onLocked?(): Promise<boolean>;
  /** Close the session after this time without a call. Defaults to: never. */
  idleMs?: number;
}

type Standing = Omit<SessionStatus, 'connectionId' | 'capabilities' | 'pid' | 'server'>;

/**
 * One connection's session: `disconnected → connecting → connected → reconnecting → connected`. The states
 * `connecting`, `connected` and `reconnecting` can also end in `disconnected` or `failed`. Besides opening and closing,
 * three things can change the state: a failed health check, refused credentials, and the end of the driver's process. A
 * network error of a call fails that call alone and starts a health check.
 */
export class ManagedSession {
  readonly #options: Options;
  #standing: Standing = { state: 'disconnected' };
  #current: OpenLink | undefined;
  readonly #ending: EndingLinks;
  #opening: SharedTask<OpenLink> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #attempt = 0;
  /** For redaction. Kept after closing: an error of the last call may still quote a secret. */
  #secrets: string[] = [];

  constructor(options: Options) {
    this.#options = options;
    this.#ending = new EndingLinks((error) => {
      options.log.warn({ problem: this.redact(String(error)) }, 'A driver did not close cleanly');
    });
  }

  get status(): SessionStatus {
    const link = this.#current?.link;
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

  /** `retryFailed`: try again after refused credentials, because a person asked for it. */
  async open(signal: AbortSignal, { retryFailed = false } = {}): Promise<OpenLink> {
    if (signal.aborted) throw cancelledError();
    if (this.#current) return this.#current;
    const { state, error } = this.#standing;
    if (state === 'failed' && error?.code === 'authentication_failed' && !retryFailed)
      throw new AppError(error);
    return this.#attemptOpen().join(signal);
  }

  /** Opens the session if needed, and runs a call. `#noteFailure` says which failures can change the state. */
  use<T>(signal: AbortSignal, call: (link: DriverLink) => Promise<T>): Promise<T> {
    return this.#untilUnlocked(async () => {
      for (;;) {
        const open = await this.open(signal);
        open.running++;
        try {
          const result = await call(open.link);
          open.answered();
          return result;
        } catch (error) {
          if (canSendAgain(open, error)) continue;
          this.#noteFailure(open, error);
          throw error;
        } finally {
          this.#callEnded(open);
        }
      }
    });
  }

  /** Like `use`, for a stream. The call lasts until the consumer is done. */
  async *stream<T>(
    signal: AbortSignal,
    call: (link: DriverLink) => AsyncIterable<T>,
  ): AsyncGenerator<T, void> {
    for (;;) {
      const open = await this.open(signal);
      open.running++;
      try {
        yield* this.#batches(open, call);
        return;
      } catch (error) {
        if (canSendAgain(open, error)) continue;
        this.#noteFailure(open, error);
        throw error;
      } finally {
        this.#callEnded(open);
      }
    }
  }

  async *#batches<T>(open: OpenLink, call: (link: DriverLink) => AsyncIterable<T>): AsyncGenerator<T, void> {
    const begin = async () => {
      const batches = call(open.link)[Symbol.asyncIterator]();
      return { batches, first: await batches.next() };
    };
    const { batches, first } = await this.#untilUnlocked(begin);
    try {
      for (let next = first; !next.done; next = await batches.next()) {
        open.answered();
        yield next.value;
      }
    } finally {
      await batches.return?.();
    }
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    opening?.abort();
    this.#giveUp({ endCalls: true });
    const closed = this.#ending.closeAll();
    this.#become({ state: 'disconnected' });
    await Promise.all([opening?.settled, closed]);
  }

  #noteFailure(open: OpenLink, error: unknown): void {
    if (open !== this.#current) return;
    const details = appErrorDetails(toAppError(error, this.redact));
    if (details.code === 'authentication_failed') this.#fail(details);
    // One socket may break while others work. So a health check must show whether the server is gone.
    else if (details.code === 'connection_failed') void this.#check(open);
    // `onExit` and the failed call report the same exit. The first report is handled, so that no new call uses the dead process.
    else if (details.code === 'driver_crashed') this.#loseProcess(details);
  }

  /**
   * Repeats the work if the database refused it because of a lock, and `onLocked` ended calls that may hold the lock.
   * The refused work has changed nothing.
   */
  async #untilUnlocked<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        const { code } = toAppError(error, this.redact);
        if (code !== 'locked' || attempt === maxAttempts || !(await this.#options.onLocked?.())) throw error;
      }
    }
  }

  #closeWhenIdle(open: OpenLink): void {
    const { idleMs } = this.#options;
    clearTimeout(this.#idleTimer);
    if (idleMs === undefined || open !== this.#current || open.running > 0) return;
    this.#idleTimer = setTimeout(() => {
      if (this.#current?.running === 0) void this.close();
    }, idleMs);
    this.#idleTimer.unref();
  }

  #attemptOpen(): SharedTask<OpenLink> {
    const before = this.#opening;
    if (before && !before.isAborted) return before;
    clearTimeout(this.#timer);
    const again = this.#standing.state === 'reconnecting';
    const task: SharedTask<OpenLink> = new SharedTask(async (signal) => {
      // The process of an aborted attempt must be gone first. The `await` also defers `#connect` until `#opening` is
      // set.
      await before?.settled;
      return this.#connect(signal, again, () => this.#opening === task);
    });
    this.#opening = task;
    this.#become(again ? { state: 'reconnecting', error: this.#standing.error } : { state: 'connecting' });
    return task;
  }

  async #connect(signal: AbortSignal, again: boolean, isCurrent: () => boolean): Promise<OpenLink> {
    let open: OpenLink | undefined;
    let link: DriverLink;
    try {
      const opener = this.#options.opener();
      link = await this.#untilUnlocked(() =>
        opener.open({
          signal,
          timeoutMs: this.#options.timing.connectMs,
          onInstalling: (installing) => {
            if (isCurrent()) this.#become({ ...this.#standing, installing: installing || undefined });
          },
          onSecrets: (values) => {
            this.#secrets = values;
          },
          onExit: (error) => {
            if (open && open === this.#current) this.#loseProcess(error);
          },
        }),
      );
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
      throw cancelledError(own`The connection was closed`);
    }
    this.#opening = undefined;
    open = new OpenLink(link);
    this.#current = open;
    this.#attempt = 0;
    this.#become({ state: 'connected' });
    this.#scheduleHealth(open);
    this.#closeWhenIdle(open);
    return open;
  }

  #openFailed(error: AppErrorDetails, again: boolean): void {
    const cancelled = error.code === 'cancelled';
    if (again && (cancelled || unreachable.has(error.code))) {
      this.#scheduleReconnect((cancelled && this.#standing.error) || error);
    } else if (cancelled) this.#become({ state: 'disconnected' });
    else this.#fail(error);
  }

  /** No automatic retry. After wrong credentials the session stays failed until a person acts. */
  #fail(error: AppErrorDetails): void {
    this.#giveUp();
    this.#become({ state: 'failed', error });
  }

  #loseConnection(error: AppErrorDetails): void {
    this.#giveUp();
    this.#scheduleReconnect(error);
  }

  #loseProcess(error: AppErrorDetails): void {
    const othersGoOn = this.#options.opener().serial && (this.#current?.running ?? 0) > 1;
    // The exit is reported twice: by `onExit` and by the call that failed.
    if (othersGoOn && this.#standing.state === 'reconnecting') return;
    this.#options.log.error(
      { connection: this.#options.connectionId, problem: error.message },
      'Driver ended',
    );
    // A serial driver's link starts a new process for the calls that wait in its queue. So the link stays open.
    if (!othersGoOn) {
      if (this.#current) this.#current.isLost = true;
      this.#giveUp({ endCalls: true });
    }
    this.#become({ state: othersGoOn ? 'reconnecting' : 'disconnected', error });
  }

  #callEnded(open: OpenLink): void {
    open.running--;
    this.#ending.callEnded(open);
    this.#closeWhenIdle(open);
    const { state, error } = this.#standing;
    if (open !== this.#current || state !== 'reconnecting') return;
    if (open.link.pid !== undefined) this.#become({ state: 'connected' });
    else if (open.running === 0) {
      this.#giveUp();
      this.#become({ state: 'disconnected', error });
    }
  }

  #scheduleReconnect(error: AppErrorDetails): void {
    const delay = this.#options.timing.backoffMs(++this.#attempt);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // The error is ignored here, because `#openFailed` has already changed the state.
      this.#attemptOpen()
        .join(new AbortController().signal)
        .catch(() => {});
    }, delay);
    this.#timer.unref();
    const retryAt = new Date(Date.now() + delay).toISOString();
    this.#become({ state: 'reconnecting', error: ofWorkingConnection(error), retryAt });
  }

  #scheduleHealth(open: OpenLink): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // With a serial driver, the check would only wait until the running calls end.
      if (open.running > 0 && this.#options.opener().serial) this.#scheduleHealth(open);
      else void this.#check(open);
    }, this.#options.timing.healthMs);
    this.#timer.unref();
  }

  #check(open: OpenLink): Promise<void> {
    open.check ??= this.#checkHealth(open).finally(() => {
      open.check = undefined;
      if (open === this.#current) this.#scheduleHealth(open);
    });
    return open.check;
  }

  async #checkHealth(open: OpenLink): Promise<void> {
    const timeoutMs = this.#options.timing.healthTimeoutMs;
    const askedAt = performance.now();
    try {
      const { signal } = new AbortController();
      const { warning } = await open.link.session.health({ signal, timeoutMs });
      if (open === this.#current) this.#warn(warning && this.redact(warning));
    } catch (error) {
      if (open !== this.#current) return;
      const details = appErrorDetails(toAppError(error, this.redact));
      if (details.code === 'authentication_failed') this.#fail(details);
      else if (details.code === 'timeout' && open.hasAnsweredSince(askedAt))
        this.#warn(`The server is slow: it did not answer a health check within ${timeoutMs / 1000} s.`);
      else if (unreachable.has(details.code)) this.#loseConnection(details);
      else this.#warn(details.message);
    }
  }

  #warn(warning: string | undefined): void {
    if (warning === this.#standing.warning) return;
    this.#become({ ...this.#standing, warning });
  }

  /** Stops using the current link. It closes after its running calls, or at once if `endCalls` is set. */
  #giveUp({ endCalls = false } = {}): void {
    clearTimeout(this.#timer);
    const open = this.#current;
    this.#current = undefined;
    if (open) this.#ending.add(open, { endCalls });
  }

  #become(standing: Standing): void {
    if (standing.state !== 'reconnecting') this.#attempt = 0;
    this.#standing = withoutUndefined(standing);
    this.#options.onChange(this.status);
  }
}

/**
 * True if the session closed the link because its process had ended, and this call was not sent yet. The call is then
 * sent over a new link.
 */
function canSendAgain(open: OpenLink, error: unknown): boolean {
  return open.isLost && error instanceof NotSentError;
}

/** One retry may not be enough: a client's new call may take the lock before the retry. */
const maxAttempts = 3;

const unreachable = new Set<string>(['connection_failed', 'timeout', 'driver_crashed', 'locked']);

/** The connection worked before, so the driver's advice for a first attempt would mislead. */
function ofWorkingConnection(error: AppErrorDetails): AppErrorDetails {
  if (error.code !== 'connection_failed' && error.code !== 'timeout') return error;
  return { ...error, hint: 'The server answered before. Check that it still runs, and check the network.' };
}

function withoutUndefined(standing: Standing): Standing {
  return Object.fromEntries(
    Object.entries(standing).filter(([, value]) => value !== undefined),
  ) as unknown as Standing;
}
