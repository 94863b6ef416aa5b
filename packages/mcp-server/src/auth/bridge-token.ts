import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { bridgeTokenName, type Caller } from '@trestle/core';

/** The token all bridge processes carry. It can read and write, and never destroy. */
export const bridgeTokenIdentity: Extract<Caller, { kind: 'client' }>['token'] = {
  id: bridgeTokenName,
  name: bridgeTokenName,
  permission: 'readWrite',
  allowlist: null,
};

export interface BridgeTokenOptions {
  lifetimeMs: number;
  /** How long before the expiry the next one takes its place. */
  rotateBeforeMs: number;
  /** Hands the token to the bridges. Where it throws the old one stays, and the next check tries again. */
  publish(token: { text: string; expiresAt: Date }): void;
  /** The first of a row of failures. */
  onError(error: unknown): void;
}

/** The bridges still have the token before this one, and cannot hear of another. */
export interface UnheardToken {
  message: string;
  /** When theirs expires. */
  expiresAt: string;
}

/** Mints the token, renews it in time, and knows the earlier ones until they expire: calls are in flight. */
export class BridgeToken {
  readonly #options: BridgeTokenOptions;
  readonly #timer: NodeJS.Timeout;
  #tokens: { digest: Buffer; expiresAt: number }[] = [];
  #failure: Error | undefined;

  constructor(options: BridgeTokenOptions) {
    this.#options = options;
    this.#rotate();
    // A timer for the exact moment would be late by the length of a sleep of the machine.
    const { lifetimeMs, rotateBeforeMs } = options;
    const every = Math.max(10, Math.min(30_000, rotateBeforeMs / 4, (lifetimeMs - rotateBeforeMs) / 4));
    this.#timer = setInterval(() => (this.#failure ? this.renew() : this.#rotateIfDue()), every).unref();
  }

  unheard(): UnheardToken | null {
    const expiresAt = this.#tokens[0]?.expiresAt;
    if (!this.#failure || expiresAt === undefined) return null;
    return { message: this.#failure.message, expiresAt: new Date(expiresAt).toISOString() };
  }

  /** The next token, before its time. */
  renew(): void {
    try {
      this.#rotate();
      this.#failure = undefined;
    } catch (error) {
      if (!this.#failure) this.#options.onError(error);
      this.#failure = error as Error;
    }
  }

  verify(text: string): 'valid' | 'expired' | 'unknown' {
    if (!text.startsWith(bridgePrefix)) return 'unknown';
    this.#rotateIfDue();
    const digest = sha256(text);
    const found = this.#tokens.find((token) => timingSafeEqual(token.digest, digest));
    if (!found) return 'unknown';
    return found.expiresAt > Date.now() ? 'valid' : 'expired';
  }

  close(): void {
    clearInterval(this.#timer);
    this.#tokens = [];
  }

  /** Not again for every call while the disk is full: the timer tries. */
  #rotateIfDue(): void {
    const newest = this.#tokens[0];
    if (!newest || Date.now() < newest.expiresAt - this.#options.rotateBeforeMs) return;
    if (!this.#failure) this.renew();
  }

  #rotate(): void {
    const text = `${bridgePrefix}${randomBytes(32).toString('base64url')}`;
    const expiresAt = Date.now() + this.#options.lifetimeMs;
    this.#options.publish({ text, expiresAt: new Date(expiresAt) });
    // Expired ones are kept a while, so that a late bridge hears "expired" and not "unknown".
    const earlier = this.#tokens.filter((token) => token.expiresAt > Date.now() - this.#options.lifetimeMs);
    this.#tokens = [{ digest: sha256(text), expiresAt }, ...earlier];
  }
}

/** Tells it apart from the tokens that the user makes. */
const bridgePrefix = 'trs_bridge_';

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
