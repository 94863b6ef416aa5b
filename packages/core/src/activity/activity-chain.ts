import type { Logger } from 'pino';
import type { NewActivity } from '../log-queue/log-entry.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { ActivityCheck, ActivityEntry } from '../types.ts';
import type { ActivityRows } from './activity-rows.ts';
import { type Anchor, AnchorKeeper } from './anchor.ts';
import { genesis, type Link, rowHash, startSeal } from './chain.ts';
import { verifyChain } from './verify-chain.ts';

interface Options {
  rows: ActivityRows;
  secrets: SecretStore;
  /** How far the anchor may be behind. */
  anchorMs: number;
  keepDays: number;
  log: Logger;
}

/** The key in use, and the newest row it has sealed. */
interface Sealing {
  keyId: string;
  key: string;
  head: Link;
}

/**
 * Each row is sealed over the one before. The log queue is the only one to append. Rows that come before the key
 * does (a keychain may take its time) are stored at once and sealed when it is there.
 */
export class ActivityChain {
  readonly #rows: ActivityRows;
  readonly #anchor: AnchorKeeper;
  readonly #options: Options;
  readonly #ready: Promise<void>;
  readonly #pruning: NodeJS.Timeout;
  #sealing: Sealing | null = null;
  #lastId: number;

  constructor(options: Options) {
    const { secrets, anchorMs: intervalMs, log } = options;
    this.#options = options;
    this.#rows = options.rows;
    this.#anchor = new AnchorKeeper({ secrets, intervalMs, log });
    this.#lastId = Math.max(this.#rows.last()?.id ?? 0, this.#rows.start()?.id ?? 0);
    this.#ready = this.#open().catch((error: unknown) => {
      log.warn({ problem: String(error) }, 'The activity log is not sealed: its key cannot be read');
    });
    this.#pruning = setInterval(() => void this.#prune(), 24 * 3_600_000).unref();
  }

  /** Writes in the caller's transaction. Call the answer once that is committed, and only then. */
  append(entries: readonly NewActivity[]): () => void {
    const sealing = this.#sealing;
    let head = sealing?.head;
    let id = this.#lastId;
    for (const given of entries) {
      const entry: ActivityEntry = { ...given, id: ++id };
      const hash = sealing && head ? rowHash(sealing.key, head, entry) : null;
      this.#rows.insert(entry, hash);
      if (hash !== null) head = { id, hash };
    }
    return () => {
      this.#lastId = id;
      if (sealing && head && head !== sealing.head) this.#advance(sealing, head);
    };
  }

  async verify(): Promise<ActivityCheck> {
    await this.#ready;
    return this.#verify();
  }

  /** Keeps the end of the log with the secrets, for as long as a locked keychain lets it. */
  async close(): Promise<void> {
    clearInterval(this.#pruning);
    await this.#ready;
    await this.#anchor.write();
  }

  async #verify(): Promise<ActivityCheck> {
    const head = this.#sealing?.head ?? null;
    try {
      const anchor = await this.#anchor.read();
      const keys = new Map<string, string>();
      for (const { id } of this.#rows.keyPeriods()) {
        const key = await this.#anchor.readKey(id);
        if (key !== null) keys.set(id, key);
      }
      return await verifyChain({ rows: this.#rows, anchor, keys, head });
    } catch (error) {
      const problem = `The log cannot be checked: ${error instanceof Error ? error.message : error}`;
      return { ok: false, checked: 0, problem };
    }
  }

  async #open(): Promise<void> {
    const anchor = await this.#anchor.read();
    const key = anchor && (await this.#anchor.readKey(anchor.keyId));
    const sealing =
      anchor && key !== null
        ? { keyId: anchor.keyId, key, head: this.#continueAt(anchor) }
        : await this.#beginKey(anchor);
    this.#lastId = Math.max(this.#lastId, sealing.head.id);
    this.#sealRest(sealing);
    // Without rows too: a log that is emptied before its first anchor would look like a new one.
    await this.#anchor.write();
    await this.#prune();
  }

  /** Never before the anchor: rows that were there and are gone must leave a gap. */
  #continueAt(anchor: Anchor): Link {
    const last = this.#rows.lastSealed() ?? this.#rows.start();
    return last && last.id >= anchor.count ? last : { id: anchor.count, hash: anchor.hash };
  }

  async #beginKey(anchor: Anchor | null): Promise<Sealing> {
    const { id: keyId, key } = await this.#anchor.makeKey();
    const head = anchor
      ? this.#continueAt(anchor)
      : (this.#rows.lastSealed() ?? this.#rows.start() ?? genesis(key));
    this.#rows.addKeyPeriod({ id: keyId, firstRow: head.id + 1 });
    return { keyId, key, head };
  }

  /** Rows of this run, or of one that ended before it had the key. */
  #sealRest(sealing: Sealing): void {
    let { head } = sealing;
    this.#rows.transaction(() => {
      for (const row of this.#rows.after(head.id, Number.MAX_SAFE_INTEGER)) {
        const hash = rowHash(sealing.key, head, row);
        this.#rows.setHash(row.id, hash);
        head = { id: row.id, hash };
      }
    });
    this.#advance(sealing, head);
  }

  #advance(sealing: Sealing, head: Link): void {
    this.#sealing = { ...sealing, head };
    this.#anchor.advance(sealing.keyId, head);
  }

  /** Only what is right: rows given an older date must not be pruned away unseen. */
  async #prune(): Promise<void> {
    const cutoff = new Date(Date.now() - this.#options.keepDays * 24 * 3_600_000).toISOString();
    try {
      const last = this.#rows.lastBefore(cutoff);
      if (!last || !this.#sealing) return;
      const { ok, problem } = await this.#verify();
      const { keyId, key } = this.#sealing;
      if (ok) this.#rows.prune({ ...last, keyId, seal: startSeal(key, last) });
      else this.#options.log.error({ problem }, 'The activity log is not pruned: it was tampered with');
    } catch (error) {
      this.#options.log.error({ problem: String(error) }, 'The activity log could not be pruned');
    }
  }
}
