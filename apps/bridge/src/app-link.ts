import { setTimeout as delay } from 'node:timers/promises';
import {
  type HandshakeReading,
  handshakePath,
  modernProtocolVersion,
  type RunningHandshake,
  readHandshake,
} from '@trestle/handshake';
import { BridgeFailure, notProved, notRunning, tooOld, turnedOff, unauthenticated } from './failures.ts';
import type { Launch } from './launch.ts';
import { ProvedAgent } from './proved-agent.ts';

/** Where the app listens, and the agent that keeps the connections to it. */
export interface Endpoint {
  handshake: RunningHandshake;
  agent: ProvedAgent;
  /** From this time on, the bridge reads the handshake file again, to get the next token. */
  renewAt: number;
}

interface AppLinkOptions {
  home: string;
  launch: () => Promise<Launch>;
  pollMs?: number;
  waitMs?: number;
}

/** Finds the app, starts it if it is not running, and follows it through restarts and token rotations. */
export class AppLink {
  readonly #path: string;
  readonly #options: Required<AppLinkOptions>;
  #current: Endpoint | undefined;
  #starting: Promise<Endpoint> | undefined;

  constructor(options: AppLinkOptions) {
    this.#path = handshakePath(options.home);
    this.#options = { pollMs: 200, waitMs: 10_000, ...options };
  }

  /** The known endpoint, unless its token is about to expire. */
  get known(): Endpoint | undefined {
    return this.#current && Date.now() <= this.#current.renewAt ? this.#current : undefined;
  }

  /** The endpoint in the handshake file. Without a trusted file, starts the app, or rejects if `mayStart` is false. */
  async endpoint({ mayStart } = { mayStart: true }): Promise<Endpoint> {
    const found = this.#accept(readHandshake(this.#path));
    if (!found && !mayStart) throw notRunning('no call has started it yet');
    return found ?? this.#start();
  }

  /** A new endpoint after the last one failed. Undefined if there is none: the caller then reports the failure. */
  async renew(
    failed: Endpoint,
    why: 'unauthenticated' | 'unreachable' | 'unproved',
    { mayStart } = { mayStart: true },
  ): Promise<Endpoint | undefined> {
    if (this.#current && isDifferent(this.#current.handshake, failed.handshake)) return this.#current;
    const patience = why === 'unproved' ? settleMs : 0;
    for (let waited = 0; ; waited += this.#options.pollMs) {
      const found = this.#accept(readHandshake(this.#path));
      if (!found) return mayStart ? this.#start() : undefined;
      if (isDifferent(found.handshake, failed.handshake)) return found;
      if (waited >= patience) break;
      await delay(this.#options.pollMs);
    }
    // If the handshake's token has expired and the endpoint cannot prove itself, the app that wrote the handshake has
    // probably exited. Other programs may have the app's port and process id now.
    const isLeft = why === 'unreachable' || (why === 'unproved' && isExpired(failed.handshake));
    return isLeft && mayStart ? this.#start(failed.handshake.instanceId) : undefined;
  }

  unproved(failed: Endpoint, detail: string): Error {
    return notProved(failed.handshake.port, this.#path, detail);
  }

  unauthenticated(): Error {
    return unauthenticated(this.#path);
  }

  close(): void {
    this.#current?.agent.destroy();
  }

  /** Starts the app. Calls of this method during the start get the same promise. */
  #start(unlike?: string): Promise<Endpoint> {
    this.#starting ??= this.#launchAndWait(unlike).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #launchAndWait(unlike: string | undefined): Promise<Endpoint> {
    let launched = await this.#launch();
    const deadline = Date.now() + this.#options.waitMs;
    for (;;) {
      const reading = readHandshake(this.#path);
      const found = this.#accept(reading);
      if (found && found.handshake.instanceId !== unlike) return found;
      const end = launched.end();
      if (end?.by === 'itself') throw notRunning(`it could not be started (${end.words})`);
      // A signal ended the app, so the next launch may succeed.
      if (end?.by === 'signal') launched = await this.#launch();
      if (Date.now() >= deadline) {
        const seconds = this.#options.waitMs / 1000;
        throw reading.trusted
          ? notRunning(`no new handshake within ${seconds} seconds (the old one is still there)`)
          : notRunning(`no trusted handshake within ${seconds} seconds (${reading.detail})`);
      }
      await delay(this.#options.pollMs);
    }
  }

  async #launch(): Promise<Launch> {
    try {
      return await this.#options.launch();
    } catch (error) {
      if (error instanceof BridgeFailure) throw error;
      throw notRunning(`it could not be started (${(error as Error).message})`);
    }
  }

  #accept(reading: HandshakeReading): Endpoint | undefined {
    if (!reading.trusted) return undefined;
    const { handshake } = reading;
    if (handshake.state === 'disabled') throw turnedOff();
    if (!handshake.protocolVersions.includes(modernProtocolVersion)) throw tooOld(handshake.appVersion);
    const current = this.#current;
    // A rotation changes the token, but not the port or the secret. So the connections stay proved.
    const stays = current !== undefined && isSameEndpoint(current.handshake, handshake);
    const agent = stays ? current.agent : new ProvedAgent(handshake);
    this.#current = { handshake, agent, renewAt: renewalOf(handshake) };
    return this.#current;
  }
}

/**
 * How long to wait for a new handshake after a failed proof. An app that restarts on its old port may answer before it
 * has written its new handshake.
 */
const settleMs = 1_000;
/**
 * The longest time from `renewAt` until the token expires. Normally the app has written the next token before
 * `renewAt`.
 */
const tokenMarginMs = 60_000;

function renewalOf({ tokenExpiresAt, startedAt }: RunningHandshake): number {
  const expiresAt = Date.parse(tokenExpiresAt);
  return expiresAt - Math.min(tokenMarginMs, (expiresAt - Date.parse(startedAt)) / 8);
}

function isExpired({ tokenExpiresAt }: RunningHandshake): boolean {
  return Date.now() > Date.parse(tokenExpiresAt);
}

function isSameEndpoint(a: RunningHandshake, b: RunningHandshake): boolean {
  return a.instanceId === b.instanceId && a.port === b.port && a.secret === b.secret;
}

function isDifferent(a: RunningHandshake, b: RunningHandshake): boolean {
  return !isSameEndpoint(a, b) || a.token !== b.token;
}
