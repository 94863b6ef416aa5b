import {
  type ConnectStage,
  type Dial,
  type Driver,
  DriverError,
  type DriverLogEntry,
  driverErrorDetails,
  type ExportRequest,
  type RowSet,
  type Session,
} from '@trestle/driver-kit';
import { fitAnswer } from './fit-answer.ts';
import {
  type CallMethod,
  type Connected,
  capabilitiesOf,
  connectId,
  type FromHost,
  type StreamItem,
  type StreamMethod,
  type ToHost,
} from './protocol.ts';
import { shorten } from './short-vectors.ts';

/** Runs the calls of one link on one driver, inside the driver's process. */
export class DriverService {
  readonly #options: Options;
  readonly #calls = new Map<number, AbortController>();
  readonly #streams = new Map<number, Stream>();
  #session: Session | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  receive(message: ToHost): void {
    switch (message.type) {
      case 'connect':
        void this.#call(connectId, (signal) => this.#connect(message, signal));
        break;
      case 'probe':
        void this.#call(connectId, async () => void (await importDriver(message.entry)));
        break;
      case 'greet':
        void this.#call(connectId, async () => undefined);
        break;
      case 'call':
        void this.#call(message.id, (signal) => this.#invoke(message.method, message.args, signal));
        break;
      case 'pull':
        void this.#pull(message.id, message.open);
        break;
      case 'drain':
        this.#drain(message.id);
        break;
      case 'cancel':
        void this.#cancel(message.id);
        break;
      case 'ping':
        this.#options.send({ type: 'pong' });
        break;
      case 'close':
        void this.#close();
    }
  }

  async #call(id: number, work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    const controller = new AbortController();
    this.#calls.set(id, controller);
    try {
      const value = await work(controller.signal);
      if (!controller.signal.aborted) this.#options.send({ type: 'reply', id, value });
    } catch (error) {
      this.#fail(id, error);
    }
    this.#calls.delete(id);
    if (controller.signal.aborted) this.#options.send({ type: 'ended', id });
  }

  async #connect({ entry, fields, network }: Connecting, signal: AbortSignal): Promise<Connected> {
    const dial = this.#options.openDial(network);
    const driver = await importDriver(entry);
    const log = ({ level, message }: DriverLogEntry) =>
      this.#options.send({ type: 'log', entry: { level, message: String(message) } });
    const stage = (stage: ConnectStage) => this.#options.send({ type: 'stage', stage });
    const session = await driver.connect({ fields, log, dial, stage }, { signal });
    this.#session = session;
    const { product, version } = session.server;
    return { server: { product, version }, capabilities: capabilitiesOf(session) };
  }

  async #invoke(method: CallMethod, args: unknown[], signal: AbortSignal): Promise<unknown> {
    const session = this.#opened() as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    return fitAnswer(method, await session[method]!(...args, { signal }));
  }

  async #pull(id: number, open: StreamOpening | undefined): Promise<void> {
    try {
      const stream = this.#streams.get(id) ?? this.#openStream(id, open);
      const { done, value } = await stream.items.next();
      if (done) this.#streams.delete(id);
      const item: StreamItem = done ? { done: true } : { done: false, item: value };
      if (stream.draining || !stream.controller.signal.aborted)
        this.#options.send({ type: 'reply', id, value: item });
    } catch (error) {
      this.#fail(id, error);
      // If the item could not be sent, the stream is still open.
      await this.#endStream(id);
    }
  }

  #openStream(id: number, open: StreamOpening | undefined): Stream {
    if (!open) throw new DriverError({ code: 'internal', message: 'The stream has ended.' });
    const controller = new AbortController();
    const { shortVectors, ...request } = open.request as Partial<ExportRequest>;
    const given = this.#opened()[open.method]!(request as never, { signal: controller.signal });
    const items = shortVectors ? shorten(given as AsyncIterable<RowSet>, shortVectors) : given;
    const stream = { controller, items: items[Symbol.asyncIterator](), draining: false };
    this.#streams.set(id, stream);
    return stream;
  }

  #drain(id: number): void {
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.draining = true;
    stream.controller.abort();
  }

  /** A cancel is answered with `ended`, even if the call is over: the app waits for `ended`. */
  async #cancel(id: number): Promise<void> {
    const call = this.#calls.get(id);
    if (call) {
      call.abort();
      return;
    }
    await this.#endStream(id);
    this.#options.send({ type: 'ended', id });
  }

  async #endStream(id: number): Promise<void> {
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#streams.delete(id);
    stream.controller.abort();
    await settled(async () => stream.items.return?.());
  }

  async #close(): Promise<void> {
    for (const controller of this.#calls.values()) controller.abort();
    for (const { controller } of this.#streams.values()) controller.abort();
    await settled(async () => this.#session?.close());
    this.#options.onClosed();
  }

  #fail(id: number, error: unknown): void {
    this.#options.send({ type: 'failed', id, error: driverErrorDetails(error) });
  }

  #opened(): Session {
    if (!this.#session) throw new DriverError({ code: 'internal', message: 'The driver is not connected.' });
    return this.#session;
  }
}

interface Options {
  send: (message: FromHost) => void;
  onClosed: () => void;
  /** Makes the function that gives the driver its sockets. This function refuses dials if the driver has no network. */
  openDial: (network: boolean) => Dial;
}

type Connecting = Extract<ToHost, { type: 'connect' }>;

interface StreamOpening {
  method: StreamMethod;
  request: unknown;
}

interface Stream {
  controller: AbortController;
  items: AsyncIterator<unknown>;
  /** Aborted, but the app still pulls the remaining items. */
  draining: boolean;
}

async function importDriver(entry: string): Promise<Driver> {
  const module = (await import(entry)) as { driver?: Driver };
  if (typeof module.driver?.connect === 'function') return module.driver;
  throw new DriverError({
    code: 'unsupported',
    message: "The driver's entry file has no export named driver with a connect function.",
    hint: 'Install another version of the driver.',
  });
}

/** Prints an error instead of throwing it: an unhandled rejection would end the process and its other calls. */
async function settled(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(error);
  }
}
