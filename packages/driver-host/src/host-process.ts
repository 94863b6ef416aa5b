import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { DriverError, type DriverErrorDetails } from '@trestle/driver-kit';
import { AnswerMismatch, checkAnswer, checkStream, type StreamCheck } from '@trestle/driver-kit/answers';
import { Channel } from './channel.ts';
import { Heartbeat } from './heartbeat.ts';
import { HostLog } from './host-log.ts';
import type { DriverLinkOptions } from './options.ts';
import { PendingCalls, UnansweredError } from './pending-calls.ts';
import {
  type CallMethod,
  type Connected,
  connectId,
  type FromHost,
  noMessage,
  parseConnected,
  parseError,
  parseFromHost,
  parseStreamItem,
  type StreamItem,
  type StreamMethod,
  type ToHost,
} from './protocol.ts';
import { redacted, redactSecrets } from './redact.ts';
import { dialTarget } from './sockets/dial.ts';
import { SocketRelay } from './sockets/socket-relay.ts';
import { spawnHost } from './spawn-host.ts';
import { answeredWrongly, closed, exited, offended, unresponsive } from './stop-reasons.ts';
import { defaultTiming } from './timing.ts';
import { cancelled, databaseIsLate, type LinkCall } from './watch-call.ts';

/** One driver process, from start to exit. It is never restarted: the link opens a new one. */
export class HostProcess {
  /** Resolves when the process is gone. */
  readonly exited: Promise<void>;
  readonly #options: DriverLinkOptions;
  readonly #child: ChildProcess;
  readonly #channel: Channel;
  readonly #sockets: SocketRelay | undefined;
  readonly #calls: PendingCalls;
  readonly #log: HostLog;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #redact: (text: string) => string;
  #connected: Connected | undefined;
  #wall = false;
  #ending: Ending | undefined;
  #outOfMemory = false;
  /** The streams that were told to start nothing new. They may leave changes without an outcome. */
  readonly #drained = new Set<number>();

  /** Starts the process and connects. Kills it if connecting fails, times out or is cancelled. */
  static async open(options: DriverLinkOptions, call: LinkCall): Promise<HostProcess> {
    if (call.signal.aborted) throw cancelled();
    const { child, entryUrl } = await spawnHost(options);
    const host = new HostProcess(options, child);
    try {
      const network = options.manifest.process.network !== false;
      const connect: ToHost = { type: 'connect', entry: entryUrl, fields: options.fields, network };
      const timed = { lateHint: databaseIsLate, ...call };
      const answer = host.#calls.wait(connectId, connect, timed, () => {});
      host.#connected = await host.#checked('connect', answer, parseConnected);
      return host;
    } catch (error) {
      host.#kill({ error: closed(), expected: true });
      // Waits for the exit, since locks of this process could stop the next one. But a process that hangs in the
      // kernel, for example on a lost network drive, cannot be killed, and the user must still see the error.
      const { closeMs } = { ...defaultTiming, ...options.timing };
      await Promise.race([host.exited, delay(closeMs, undefined, { ref: false })]);
      throw error;
    }
  }

  /** Starts the process and imports the driver, without connecting. No process is left afterwards. */
  static async probe(options: DriverLinkOptions, call: LinkCall): Promise<void> {
    if (call.signal.aborted) throw cancelled();
    const { child, entryUrl } = await spawnHost(options);
    const host = new HostProcess(options, child);
    try {
      const probe: ToHost = { type: 'probe', entry: entryUrl };
      await host.#checked(
        'import',
        host.#calls.wait(connectId, probe, call, () => {}),
        () => {},
      );
    } finally {
      host.#kill({ error: closed(), expected: true });
      await host.exited;
    }
  }

  /** Starts the process and waits until it answers. No process is left afterwards. */
  static async greet(options: DriverLinkOptions, call: LinkCall): Promise<void> {
    const { child } = await spawnHost(options);
    const host = new HostProcess(options, child);
    try {
      await host.#checked(
        'greet',
        host.#calls.wait(connectId, { type: 'greet' }, call, () => {}),
        () => {},
      );
    } finally {
      host.#kill({ error: closed(), expected: true });
      await host.exited;
    }
  }

  private constructor(options: DriverLinkOptions, child: ChildProcess) {
    const { manifest } = options;
    const timing = { ...defaultTiming, ...options.timing };
    const onHung = () => this.#kill({ error: unresponsive(manifest.name), expected: false });
    const send = (message: ToHost) => this.#channel.send(message);
    this.#options = options;
    this.#child = child;
    this.#redact = redactSecrets(manifest, options.fields);
    this.#calls = new PendingCalls({
      driverName: manifest.name,
      graceMs: timing.graceMs,
      errorOf: (sent) => this.#errorOf(sent),
      send,
      onStuck: onHung,
    });
    this.#channel = new Channel(child.stdio[3] as Duplex, {
      onMessage: (message) => this.#receive(message),
      onEnd: (offence) => this.#onLinkEnd(offence),
      mostMemory,
    });
    const { network } = manifest.process;
    if (network) {
      this.#sockets = new SocketRelay(child.stdio[4] as Duplex, {
        target: () => dialTarget(network, options.saved ?? options.fields),
        onDial: (event) => {
          options.onDial?.(event);
          if (event.state === 'begun' && !this.#connected) options.onStage?.(event.stage);
        },
        onOffence: (offence) => this.#kill({ error: offended(manifest.name, offence), expected: false }),
      });
    }
    this.#log = new HostLog((entry) => options.log(entry), this.#redact);
    this.#log.follow(child.stdout as Readable, 'info');
    this.#log.follow(child.stderr as Readable, 'warn', (line) => {
      this.#outOfMemory ||= line.includes('heap out of memory');
    });
    // A call may block a serial driver's event loop. Such a driver has no heartbeat: only the call's deadline applies.
    if (!this.#serial) {
      this.#heartbeat = new Heartbeat(timing, {
        busy: () => this.#calls.busy,
        ping: () => send({ type: 'ping' }),
        onHung,
      });
    }
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#onExit(code, signal);
        resolve();
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get alive(): boolean {
    return this.#ending === undefined;
  }

  /** A new call waits here until the driver has ended all cancelled calls, or until the process is ending. */
  steady(): Promise<void> {
    return this.#calls.steady();
  }

  get connected(): Connected {
    if (!this.#connected) throw new Error('The process has not connected');
    return this.#connected;
  }

  async call(method: CallMethod, args: unknown[], call: LinkCall): Promise<unknown> {
    if (this.#ending) throw new DriverError(this.#ending.error);
    const id = this.#calls.nextId();
    const answer = this.#calls.wait(id, { type: 'call', id, method, args }, call, () => this.#letGo(id));
    return this.#checked(method, answer, (value) => {
      checkAnswer(method, args, value);
      return value;
    });
  }

  /** Reads an answer. A driver that answers wrongly is stopped: its next answers could not be trusted either. */
  async #checked<T>(method: string, answer: Promise<unknown>, read: (value: unknown) => T): Promise<T> {
    try {
      return read(await answer);
    } catch (error) {
      if (!(error instanceof AnswerMismatch)) throw error;
      const problem = redacted(error.message, longestProblem, this.#redact);
      const details = answeredWrongly(this.#options.manifest.name, method, problem);
      this.#kill({ error: details, expected: false });
      throw new UnansweredError(details);
    }
  }

  /** Requests an item when the reader wants one, so the link buffers at most one item. */
  async *stream(
    method: StreamMethod,
    request: unknown,
    call: LinkCall,
    id = this.#calls.nextId(),
  ): AsyncGenerator<unknown> {
    const check = checkStream(method, request);
    let open = true;
    const end = () => {
      if (open) this.#letGo(id);
      open = false;
    };
    try {
      let message: ToHost = { type: 'pull', id, open: { method, request } };
      for (; ; message = { type: 'pull', id }) {
        if (call.signal.aborted) throw cancelled();
        if (this.#ending) throw new DriverError(this.#ending.error);
        const next = await this.#next({ id, method, check }, message, call, end).catch((error: unknown) => {
          // The stream is over: it failed, or `end` has already run. A cancel now would end a serial driver's process.
          open = false;
          throw error;
        });
        if (next.done) {
          open = false;
          return;
        }
        // A cancel must reach the driver even while the reader processes this item.
        call.signal.addEventListener('abort', end);
        yield next.item;
        call.signal.removeEventListener('abort', end);
      }
    } finally {
      call.signal.removeEventListener('abort', end);
      end();
    }
  }

  async #next(
    { id, method, check }: { id: number; method: StreamMethod; check: StreamCheck },
    message: ToHost,
    call: LinkCall,
    onStop: () => void,
  ): Promise<StreamItem> {
    return this.#checked(method, this.#calls.wait(id, message, call, onStop), (value) => {
      const next = parseStreamItem(value);
      if (!next.done) check.item(next.item);
      else if (!this.#drained.has(id)) check.end();
      return next;
    });
  }

  /**
   * Like `stream`, but a cancel only tells the driver to start nothing new. The reader still gets the outcomes of
   * running work. A driver that has not finished after `drainMs` is stopped.
   */
  async *drainedStream(
    method: StreamMethod,
    request: unknown,
    call: LinkCall & { drainMs: number },
  ): AsyncGenerator<unknown> {
    if (call.signal.aborted) throw cancelled();
    const id = this.#calls.nextId();
    const reader = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const drain = () => {
      if (!this.alive) return;
      this.#drained.add(id);
      this.#channel.send({ type: 'drain', id });
      timer = setTimeout(() => this.#stopStuck(), call.drainMs);
    };
    call.signal.addEventListener('abort', drain, { once: true });
    try {
      yield* this.stream(method, request, { ...call, signal: reader.signal }, id);
    } catch (error) {
      if (call.signal.aborted && this.#ending?.expected) throw cancelled();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#drained.delete(id);
      call.signal.removeEventListener('abort', drain);
    }
  }

  /** Asks the driver to close its session, and kills a slow driver. A busy serial driver is killed at once. */
  async close(): Promise<void> {
    const ending = { error: closed(), expected: true };
    if (this.#serial && this.#calls.busy) this.#kill(ending);
    else if (this.#end(ending)) {
      this.#channel.send({ type: 'close' });
      const { closeMs } = { ...defaultTiming, ...this.#options.timing };
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), closeMs);
      await this.exited;
      clearTimeout(timer);
    }
    await this.exited;
  }

  get #serial(): boolean {
    return this.#options.manifest.concurrency === 'serial';
  }

  /**
   * Kills the process. For a serial driver, this is the normal end of a cancelled or late call: its process runs no
   * other call. A parallel driver that does not end a cancelled call has a fault.
   */
  #stopStuck(): void {
    const { name } = this.#options.manifest;
    if (this.#serial) this.#kill({ error: cancelled(), expected: true });
    else this.#kill({ error: unresponsive(name), expected: false });
  }

  /** The driver has the link too, so a message may be invented. Then the process is ended. */
  #parse(raw: unknown): FromHost | undefined {
    try {
      const message = parseFromHost(raw);
      if (!('id' in message) || this.#calls.isKnown(message.id)) return message;
      this.#onLinkEnd(noMessage);
    } catch (error) {
      if (!(error instanceof AnswerMismatch)) throw error;
      this.#onLinkEnd(redacted(error.message, longestProblem, this.#redact));
    }
    return undefined;
  }

  #errorOf(sent: unknown): Error {
    try {
      return new DriverError(parseError(sent, this.#redact));
    } catch (error) {
      return error instanceof AnswerMismatch ? error.inside('error') : (error as Error);
    }
  }

  #letGo(id: number): void {
    if (!this.alive) return;
    if (this.#serial) this.#stopStuck();
    else this.#calls.cancel(id);
  }

  #receive(raw: unknown): void {
    const message = this.#parse(raw);
    if (!message) return;
    switch (message.type) {
      case 'reply':
      case 'failed':
        this.#calls.settle(message);
        break;
      case 'ended':
        this.#calls.ended(message.id);
        break;
      case 'log':
        this.#log.add(message.entry);
        break;
      case 'stage':
        if (!this.#connected) this.#options.onStage?.(message.stage);
        break;
      case 'pong':
        this.#heartbeat?.answered();
        break;
      case 'wall':
        // The first of these messages is sent before the driver is loaded. Later ones may be forged and are ignored.
        if (!this.#wall) this.#options.onWall?.(message.wall);
        this.#wall = true;
    }
  }

  /** Returns false if the process was already ending. The first reason stays. */
  #end(ending: Ending): boolean {
    if (this.#ending) return false;
    this.#ending = ending;
    this.#heartbeat?.stop();
    this.#calls.failAll(ending.error);
    return true;
  }

  #kill(ending: Ending): void {
    this.#end(ending);
    this.#child.kill('SIGKILL');
  }

  /**
   * Kills the process: a driver that broke a rule or closed its end of the link may still run. The running
   * calls fail with the offence, if there is one. Otherwise the exit event gives the reason.
   */
  #onLinkEnd(offence: string | undefined): void {
    const { name } = this.#options.manifest;
    if (offence) this.#end({ error: offended(name, offence), expected: false });
    this.#child.kill('SIGKILL');
  }

  #onExit(code: number | null, signal: NodeJS.Signals | null): void {
    const { manifest, onExit } = this.#options;
    const outOfMemory = this.#outOfMemory;
    this.#end({ error: exited(manifest.name, { code, signal, outOfMemory }), expected: false });
    this.#channel.close();
    this.#sockets?.close();
    this.#log.flush();
    if (this.#connected && this.#ending) {
      onExit?.({ expected: this.#ending.expected, message: this.#ending.error.message });
    }
  }
}

/** A mismatch quotes and cuts what the driver sent. */
const longestProblem = 1_000;

/**
 * How much memory one message of a driver may need. The answer to a call needs up to about 300 MB, if it consists of
 * very many small objects.
 */
const mostMemory = Math.min(512 * 1024 * 1024, getHeapStatistics().heap_size_limit / 3);

interface Ending {
  error: DriverErrorDetails;
  expected: boolean;
}
