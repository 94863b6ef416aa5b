import {
  type Capability,
  type ChangeOutcome,
  DriverError,
  type ExportRequest,
  type RowSet,
  requiredMethods,
  type SampleRequest,
  type SaveReport,
  type SaveRequest,
  type SettleRequest,
} from '@trestle/driver-kit';
import { HostProcess } from './host-process.ts';
import type { DriverLinkOptions } from './options.ts';
import { type CallMethod, redactOutcomes, redactReport } from './protocol.ts';
import { type Redact, redactSecrets } from './redact.ts';
import { SerialQueue } from './serial-queue.ts';
import type { LinkSession } from './session.ts';
import { closed } from './stop-reasons.ts';
import { defaultTiming } from './timing.ts';
import { type LinkCall, untilCancelled } from './watch-call.ts';

export interface DriverLink {
  /** Has only the methods that the driver has: a missing method is a missing capability. */
  readonly session: LinkSession;
  readonly capabilities: Capability[];
  /** The id of the running process. After the process has exited, undefined until the next call. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

/** The link was closed before the call was sent. The same call may be sent over a new link. */
export class NotSentError extends DriverError {}

/** Starts a process for the driver and connects. Rejects with the driver's error, or if the process exits or hangs. */
export async function openDriverLink(
  options: DriverLinkOptions,
  call: { signal: AbortSignal; timeoutMs: number },
): Promise<DriverLink> {
  return new Link(options, call.timeoutMs, await HostProcess.open(options, call));
}

class Link implements DriverLink {
  readonly session: LinkSession;
  readonly capabilities: Capability[];
  readonly #options: DriverLinkOptions;
  readonly #redact: Redact;
  readonly #connectTimeoutMs: number;
  readonly #queue: SerialQueue | undefined;
  readonly #lifetime = new AbortController();
  readonly #streaming = new Set<HostProcess>();
  #host: HostProcess;
  #opening: Promise<HostProcess> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: DriverLinkOptions, connectTimeoutMs: number, host: HostProcess) {
    this.#options = options;
    this.#redact = redactSecrets(options.manifest, options.fields);
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#host = host;
    this.#queue = options.manifest.concurrency === 'serial' ? new SerialQueue() : undefined;
    this.capabilities = host.connected.capabilities;
    this.session = this.#buildSession();
  }

  get pid(): number | undefined {
    return this.#host.alive ? this.#host.pid : undefined;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#lifetime.abort();
    await this.#opening?.catch(() => {});
    await Promise.all([this.#host, ...this.#streaming].map((host) => host.close()));
  }

  #buildSession(): LinkSession {
    const link = this;
    const session: Record<string, unknown> = {
      get server() {
        return link.#host.connected.server;
      },
    };
    for (const method of [...requiredMethods, ...this.capabilities]) {
      if (method === 'close') session.close = () => this.close();
      else if (method === 'exportRows' || method === 'sampleRows')
        session[method] = (request: ExportRequest | SampleRequest, call: LinkCall) =>
          this.#rows(method, request, call);
      else if (method === 'applyChanges' || method === 'importRows')
        session[method] = (request: SaveRequest, call: LinkCall) => this.#save(method, request, call);
      else if (method === 'settleChanges')
        session.settleChanges = async (request: SettleRequest, call: LinkCall) =>
          redactOutcomes((await this.#call(method, [request], call)) as ChangeOutcome[], this.#redact);
      else
        session[method] = (...args: unknown[]) =>
          this.#call(method, args.slice(0, -1), args.at(-1) as LinkCall);
    }
    return session as unknown as LinkSession;
  }

  #call(method: CallMethod, args: unknown[], call: LinkCall): Promise<unknown> {
    const run = async () => {
      const host = await untilCancelled(this.#process(), call.signal);
      return host.call(method, args, call);
    };
    return this.#queue ? this.#queue.run(call.signal, () => inTurn(call, run)) : run();
  }

  async *#rows(
    method: 'exportRows' | 'sampleRows',
    request: ExportRequest | SampleRequest,
    call: LinkCall,
  ): AsyncGenerator<RowSet> {
    if (!this.#queue) {
      const host = await untilCancelled(this.#process(), call.signal);
      yield* host.stream(method, request, call) as AsyncGenerator<RowSet>;
      return;
    }
    call.onTurn?.(true);
    // With a serial driver, each export or sample gets an extra process. So it does not block other calls, and does not
    // end when one of them is cancelled.
    let host: HostProcess | undefined;
    try {
      host = await this.#openProcess(AbortSignal.any([call.signal, this.#lifetime.signal]), undefined);
      this.#streaming.add(host);
      yield* host.stream(method, request, call) as AsyncGenerator<RowSet>;
    } finally {
      await host?.close();
      if (host) this.#streaming.delete(host);
      call.onTurn?.(false);
    }
  }

  async *#save(
    method: 'applyChanges' | 'importRows',
    request: SaveRequest,
    call: LinkCall,
  ): AsyncGenerator<SaveReport> {
    const release = await this.#queue?.enter(call.signal);
    call.onTurn?.(true);
    try {
      const host = await untilCancelled(this.#process(), call.signal);
      const { graceMs } = { ...defaultTiming, ...this.#options.timing };
      // A serial driver must send each report within `rowTimeoutMs`.
      const limits = this.#queue
        ? { timeoutMs: request.rowTimeoutMs, drainMs: graceMs }
        : { drainMs: 2 * request.rowTimeoutMs + graceMs };
      const { signal } = call;
      for await (const report of host.drainedStream(method, request, { signal, ...limits }))
        yield redactReport(report as SaveReport, this.#redact);
    } finally {
      call.onTurn?.(false);
      release?.();
    }
  }

  /** The running process, or a new one. Only a call opens a new one, so a crashing driver cannot restart in a loop. */
  async #process(): Promise<HostProcess> {
    await this.#host.steady();
    if (this.#host.alive) return this.#host;
    this.#opening ??= this.#reopen().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #reopen(): Promise<HostProcess> {
    // Locks of the old process could block the new one.
    await this.#host.exited;
    this.#host = await this.#openProcess(this.#lifetime.signal, this.#options.onExit);
    return this.#host;
  }

  async #openProcess(signal: AbortSignal, onExit: DriverLinkOptions['onExit']): Promise<HostProcess> {
    if (this.#closing) throw new NotSentError(closed());
    const timeoutMs = this.#connectTimeoutMs;
    return HostProcess.open({ ...this.#options, onExit }, { signal, timeoutMs });
  }
}

async function inTurn<T>(call: LinkCall, run: () => Promise<T>): Promise<T> {
  call.onTurn?.(true);
  try {
    return await run();
  } finally {
    call.onTurn?.(false);
  }
}
