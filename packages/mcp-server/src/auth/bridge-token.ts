import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { bridgeTokenName, type Caller } from '@trestle/core';

/** The token of all bridge processes. It can read and write, but never destroy. */
export const bridgeTokenIdentity: Extract<Caller, { kind: 'client' }>['token'] = {
  kind: 'bridge',
  id: bridgeTokenName,
  name: bridgeTokenName,
  permission: 'readWrite',
  allowlist: null,
};

interface BridgeTokenOptions {
  lifetimeMs: number;
  /** How long before its expiry a token is replaced. */
  rotateBeforeMs: number;
  /**
   * Gives the token to the bridges. If `publish` throws for the first token, the constructor throws too. If it throws
   * later, the old token stays and the timer tries again.
   */
  publish(token: { text: string; expiresAt: Date }): void;
  /** Called when a renewal fails, but not again before one succeeds. */
  onError(error: unknown): void;
}

/** Reports that the last renewal failed: the bridges still have the previous token. */
export interface UnheardToken {
  message: string;
  /** When the previous token expires. */
  expiresAt: string;
}

/** Creates the token and renews it in time. Accepts earlier tokens until they expire: bridges may still use them. */
export class BridgeToken {
  readonly #options: BridgeTokenOptions;
  readonly #timer: NodeJS.Timeout;
  #tokens: { digest: Buffer; expiresAt: number }[] = [];
  #failure: Error | undefined;

  constructor(options: BridgeTokenOptions) {
    this.#options = options;
    this.#rotate();
    // The expiry is checked at intervals: after the machine slept, a timer for the exact moment would be late.
    const { lifetimeMs, rotateBeforeMs } = options;
    const every = Math.max(10, Math.min(30_000, rotateBeforeMs / 4, (lifetimeMs - rotateBeforeMs) / 4));
    this.#timer = setInterval(() => (this.#failure ? this.renew() : this.#rotateIfDue()), every).unref();
  }

  unheard(): UnheardToken | null {
    const expiresAt = this.#tokens[0]?.expiresAt;
    if (!this.#failure || expiresAt === undefined) return null;
    return { message: this.#failure.message, expiresAt: new Date(expiresAt).toISOString() };
  }

  /** Replaces the token now. If that fails, the bridges keep the previous one. */
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

  /** After a failed renewal, such as on a full disk, `verify` does not try again. The timer does. */
  #rotateIfDue(): void {
    const newest = this.#tokens[0];
    if (!newest || Date.now() < newest.expiresAt - this.#options.rotateBeforeMs) return;
    if (!this.#failure) this.renew();
  }

  #rotate(): void {
    const text = `${bridgePrefix}${randomBytes(32).toString('base64url')}`;
    const expiresAt = Date.now() + this.#options.lifetimeMs;
    this.#options.publish({ text, expiresAt: new Date(expiresAt) });
    // Expired tokens are remembered, so a bridge that slept for days gets "expired" and not "unknown": unknown tokens
    // cause a lockout.
    this.#tokens = [{ digest: sha256(text), expiresAt }, ...this.#tokens].slice(0, remembered);
  }
}

const remembered = 100;

/** Separates the bridge's token from the tokens that the user creates. */
const bridgePrefix = 'trs_bridge_';

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
