import { type OwnText, own } from '@trestle/core';
import { rpcCode, rpcFailure } from './rpc.ts';

export interface LimitValues {
  requestsPerMinute: number;
  concurrentRequests: number;
}

export type Admission = { ok: true; release: () => void } | { ok: false; reason: string; response: Response };

/**
 * Limits the concurrent requests and the requests per minute of each client. A client is a token or a bridge process. A
 * subscription has its own count, since it may stay open as long as its client runs. We wrote this class because the
 * usual rate limit packages count requests per minute, but neither running requests nor open subscriptions.
 */
export class Limits {
  readonly #values: () => LimitValues;
  readonly #now: () => number;
  readonly #clients = new Map<string, ClientUse>();

  /** The clock must not go back. Otherwise earlier requests would be in the future and count for too long. */
  constructor(values: () => LimitValues, now: () => number = () => performance.now()) {
    this.#values = values;
    this.#now = now;
  }

  /**
   * Called before the body is read, so a refusal is cheap. A bridge chooses its process name, so all processes of a
   * token also share a limit. Otherwise a client with a new name per request would have no limit.
   */
  admit({ key, token }: { key: string; token: string }): Admission {
    const now = this.#now();
    this.#forgetIdle(now);
    const shares = [{ use: this.#use(key), times: 1 }];
    if (key !== token) shares.push({ use: this.#use(`all of ${token}`), times: processesPerToken });
    // All limits are checked before the request counts: a refused request must not use up the limit of its process.
    for (const share of shares) {
      const refusal = this.#refusal(share, now);
      if (refusal) return refusal;
    }
    for (const { use } of shares) {
      use.sent.push(now);
      use.running++;
    }
    const release = once(() => {
      for (const { use } of shares) use.running--;
    });
    return { ok: true, release };
  }

  #use(key: string): ClientUse {
    const use = this.#clients.get(key) ?? { sent: [], running: 0, listening: 0 };
    this.#clients.set(key, use);
    return use;
  }

  #refusal({ use, times }: { use: ClientUse; times: number }, now: number): Admission | undefined {
    const values = this.#values();
    const sender = times === 1 ? own`a client` : own`all bridges together`;
    const requestsPerMinute = values.requestsPerMinute * times;
    const concurrentRequests = values.concurrentRequests * times;
    dropOlder(use.sent, now - minute);
    if (use.sent.length >= requestsPerMinute) {
      const seconds = Math.max(1, Math.ceil(((use.sent[0] ?? now) + minute - now) / 1000));
      return refused(sender, own`${requestsPerMinute} requests a minute`, seconds);
    }
    if (use.running >= concurrentRequests)
      return refused(sender, own`${concurrentRequests} requests at once`, 1);
    return undefined;
  }

  /** Admits or refuses one more subscription. If it is admitted, the endpoint releases the request that opened it. */
  listen(key: string): Admission {
    const { concurrentRequests } = this.#values();
    const use = this.#clients.get(key);
    if (!use) throw new Error('A subscription was not admitted as a request first');
    if (use.listening >= concurrentRequests) {
      return refused(own`a client`, own`${concurrentRequests} subscriptions/listen requests at once`, 1);
    }
    use.listening++;
    return { ok: true, release: once(() => use.listening--) };
  }

  /** Forgets idle clients, because each new bridge process adds a key. */
  #forgetIdle(now: number): void {
    if (this.#clients.size < 1_000) return;
    for (const [key, use] of this.#clients) {
      const isIdle = use.running === 0 && use.listening === 0 && (use.sent.at(-1) ?? 0) <= now - minute;
      if (isIdle) this.#clients.delete(key);
    }
  }
}

/** This many processes of one token may use their whole limit at once. */
const processesPerToken = 16;

interface ClientUse {
  /** The times of the latest admitted requests, oldest first. */
  sent: number[];
  running: number;
  listening: number;
}

const minute = 60_000;

function dropOlder(times: number[], limit: number): void {
  const kept = times.findIndex((at) => at > limit);
  times.splice(0, kept === -1 ? times.length : kept);
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
}

function refused(sender: OwnText, limit: OwnText, seconds: number): Admission {
  const reason = own`Rate limited: ${sender} may send ${limit}`;
  return {
    ok: false,
    reason: reason.toString(),
    response: rpcFailure({
      status: 429,
      code: rpcCode.rateLimited,
      message: own`${reason}. Wait ${seconds} s.`,
      headers: { 'Retry-After': String(seconds) },
    }),
  };
}
