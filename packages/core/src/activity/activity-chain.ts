import type { Logger } from 'pino';
import type { StoredActivity } from '../log-queue/log-entry.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { ActivityCheck, ActivityEntry } from '../types.ts';
import type { ActivityRows } from './activity-rows.ts';
import { type Anchor, AnchorKeeper } from './anchor.ts';
import { genesis, type Link, rowHash, startSeal } from './chain.ts';
import { verifyChain } from './verify-chain.ts';

interface Options {
  rows: ActivityRows;
  secrets: SecretStore;
  /** The anchor, a stored copy of the newest hash, may be this many milliseconds behind the log. */
  anchorMs: number;
  log: Logger;
}

/** The key in use, and the last link: the next row's hash covers it. */
interface Sealing {
  keyId: string;
  key: string;
  head: Link;
}

/**
 * Each row's seal covers the row and the seal of the row before it. Only the log queue appends. A keychain may be slow:
 * until it has returned the key, rows are stored without a seal. They are sealed when the key arrives. If the key could
 * not be read, the next check tries again.
 */
export class ActivityChain {
  readonly #rows: ActivityRows;
  readonly #anchor: AnchorKeeper;
  readonly #ready: Promise<void>;
  #turn: Promise<unknown>;
  #sealing: Sealing | null = null;
  #lastId: number;

  constructor(options: Options) {
    const { secrets, anchorMs: intervalMs, log } = options;
    this.#rows = options.rows;
    this.#anchor = new AnchorKeeper({ secrets, intervalMs, log });
    this.#lastId = Math.max(this.#rows.last()?.id ?? 0, this.#rows.start()?.id ?? 0);
    this.#ready = this.#open().catch((error: unknown) => {
      log.warn({ problem: String(error) }, 'The activity log could not be sealed');
    });
    this.#turn = this.#ready;
  }

  /** Call it inside a transaction. Call the returned function after the commit, and only then. */
  append(entries: readonly StoredActivity[]): () => void {
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

  /**
   * Removes the oldest rows if they are too old or the log is too large. Returns the number of removed rows. Removes
   * nothing if the key cannot be read. Throws, and removes nothing, if the log does not pass the check: an attacker
   * could give rows an older date to have them removed.
   */
  prune(limits: { days: number; bytes: number }): Promise<number> {
    return this.#inTurn(() => this.#prune(limits));
  }

  verify(): Promise<ActivityCheck> {
    return this.#inTurn(() => this.#verify());
  }

  /** Stores the anchor with the secrets, if they can be written. */
  async close(): Promise<void> {
    await this.#ready;
    await this.#anchor.write();
  }

  /** A check must not run during pruning: it would report the pruned rows as missing. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  async #prune(limits: { days: number; bytes: number }): Promise<number> {
    const cutoff = new Date(Date.now() - limits.days * 24 * 3_600_000).toISOString();
    const last = [this.#rows.lastBefore(cutoff), this.#rows.lastOver(limits.bytes)]
      .filter((one) => one !== null)
      .sort((one, other) => other.id - one.id)[0];
    if (!last) return 0;
    await this.#openAgain().catch(() => {});
    if (!this.#sealing) return 0;
    const { ok, problem } = await this.#verify();
    if (!ok) throw new Error(`The activity log did not pass its check: ${problem}`);
    const { keyId, key } = this.#sealing;
    return this.#rows.prune({ ...last, keyId, seal: startSeal(key, last) });
  }

  async #verify(): Promise<ActivityCheck> {
    try {
      await this.#openAgain();
      const head = this.#sealing?.head ?? null;
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
      anchor && this.#rows.isBegunAnew()
        ? await this.#beginAnew(anchor, key)
        : anchor && key !== null
          ? { keyId: anchor.keyId, key, head: this.#continueAt(anchor) }
          : await this.#beginKey(anchor);
    this.#lastId = Math.max(this.#lastId, sealing.head.id);
    this.#sealRest(sealing);
    // An empty log is anchored too. Otherwise a log that was emptied before its first anchor would look like a new one.
    await this.#anchor.write();
  }

  /** The secrets may be readable now, although they were not at the start. */
  async #openAgain(): Promise<void> {
    if (!this.#sealing) await this.#open();
  }

  /** New rows get numbers above the anchor's count, so that deleted rows leave a gap in the numbers. */
  #continueAt(anchor: Anchor): Link {
    const last = this.#rows.lastSealed() ?? this.#rows.start();
    return last && last.id >= anchor.count ? last : { id: anchor.count, hash: anchor.hash };
  }

  /** After the rescue of a damaged `trestle.db`, the rows up to the anchor are gone. The new log starts after them. */
  async #beginAnew({ keyId, count, hash }: Anchor, key: string | null): Promise<Sealing> {
    const used = key === null ? await this.#anchor.makeKey() : { id: keyId, key };
    const head: Link = { id: count, hash };
    this.#rows.beginAfter({ ...head, keyId: used.id, seal: startSeal(used.key, head) });
    this.#lastId += count;
    return { keyId: used.id, key: used.key, head };
  }

  async #beginKey(anchor: Anchor | null): Promise<Sealing> {
    const { id: keyId, key } = await this.#anchor.makeKey();
    const head = anchor
      ? this.#continueAt(anchor)
      : (this.#rows.lastSealed() ?? this.#rows.start() ?? genesis((await this.#firstKey()) ?? key));
    this.#rows.addKeyPeriod({ id: keyId, firstRow: head.id + 1 });
    return { keyId, key, head };
  }

  /** The check starts with the first key, even if that key sealed no row. So the chain must start with it too. */
  async #firstKey(): Promise<string | null> {
    const [first] = this.#rows.keyPeriods();
    return first ? this.#anchor.readKey(first.id) : null;
  }

  /** Seals the rows without a seal: rows of this run, or of a run that ended before it had the key. */
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
}
