import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { Link } from './chain.ts';

const anchorSchema = z.object({
  /** The id of the key that seals new rows. */
  keyId: z.string(),
  /** The number of the newest row. 0 if there was no row yet. */
  count: z.int().min(0),
  hash: z.string(),
});

export type Anchor = z.infer<typeof anchorSchema>;

const name = 'activity/anchor';

/**
 * The chain's keys, and the anchor: the number and the hash of the newest row. Keys and anchor are stored with the
 * secrets. The check reports a log that is behind its anchor, or that differs from it. While the log grows, the anchor
 * is written at most once per interval, so it may be behind the log. Rows that are newer than the anchor are not
 * protected while the app is stopped: if their seals are removed, the next start seals them again.
 */
export class AnchorKeeper {
  readonly #options: { secrets: SecretStore; intervalMs: number; log: Logger };
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #newest: Anchor | null = null;
  #written: Anchor | null = null;

  constructor(options: { secrets: SecretStore; intervalMs: number; log: Logger }) {
    this.#options = options;
  }

  /** The stored anchor, or null. */
  async read(): Promise<Anchor | null> {
    const text = await this.#options.secrets.get(name);
    return text === null ? null : anchorSchema.parse(JSON.parse(text));
  }

  readKey(keyId: string): Promise<string | null> {
    return this.#options.secrets.get(keyName(keyId));
  }

  /** Stores a new key before it seals its first row: a chain whose key is lost can never be checked. */
  async makeKey(): Promise<{ id: string; key: string }> {
    const id = randomBytes(6).toString('hex');
    const key = randomBytes(32).toString('base64');
    await this.#options.secrets.set(keyName(id), key);
    return { id, key };
  }

  /** Call it with the newest row. A timer writes the anchor later. */
  advance(keyId: string, { id, hash }: Link): void {
    this.#newest = { keyId, count: id, hash };
    this.#timer ??= setTimeout(() => void this.write(), this.#options.intervalMs).unref();
  }

  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(async () => {
      const anchor = this.#newest;
      if (!anchor || anchor === this.#written) return;
      try {
        await this.#options.secrets.set(name, JSON.stringify(anchor));
        this.#written = anchor;
      } catch (error) {
        this.#options.log.warn(
          { problem: String(error) },
          'The newest hash of the activity log was not stored',
        );
      }
    });
    await this.#writing;
  }
}

function keyName(keyId: string): string {
  return `activity/key-${keyId}`;
}
