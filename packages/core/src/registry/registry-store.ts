import { z } from 'zod';
import type { Storage } from '../storage/storage.ts';

const knownSchema = z.object({
  /** The public keys that may sign the index. */
  keys: z.array(z.string()),
  /** The sequence number of the newest index seen. */
  sequence: z.number(),
  fetchedAt: z.string().nullable(),
});

/** The stored facts about one registry whose keys the user or the app trusts. */
export type KnownRegistry = z.infer<typeof knownSchema>;

/** Stores registries, their last index, the owners of driver ids and the removed drivers in `trestle.db`. */
export class RegistryStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  known(address: string): KnownRegistry | null {
    const text = this.#get(`known ${address}`);
    const parsed = text === null ? null : knownSchema.safeParse(JSON.parse(text));
    return parsed?.success ? parsed.data : null;
  }

  setKnown(address: string, known: KnownRegistry): void {
    this.#set(`known ${address}`, JSON.stringify(known));
  }

  /** The last valid index.json. The reader must verify its signature again. */
  index(address: string): Buffer | null {
    const text = this.#get(`index ${address}`);
    return text === null ? null : Buffer.from(text);
  }

  /** Stores the index and its sequence together: a crash must not leave a new sequence with an old index. */
  keep(address: string, known: KnownRegistry, index: Buffer): void {
    this.#storage.transaction(() => {
      this.setKnown(address, known);
      this.#set(`index ${address}`, index.toString('utf8'));
    });
  }

  /** The registry address that the user chose instead of the app's own. */
  get customAddress(): string | null {
    return this.#get('address');
  }

  set customAddress(address: string | null) {
    this.#put('address', address);
  }

  /** The owner of a driver id on this machine, in the form that `IdOwners.ownerOf` returns. */
  owner(id: string): string | null {
    return this.#get(`owner ${id}`);
  }

  setOwner(id: string, owner: string | null): void {
    this.#put(`owner ${id}`, owner);
  }

  /** Whether the user removed this driver and has not installed it since then. */
  isRemoved(id: string): boolean {
    return this.#get(`removed ${id}`) !== null;
  }

  setRemoved(id: string, isRemoved: boolean): void {
    this.#put(`removed ${id}`, isRemoved ? 'yes' : null);
  }

  #get(key: string): string | null {
    const row = this.#storage.get('SELECT value FROM registry WHERE key = ?', key);
    return row ? String(row.value) : null;
  }

  #put(key: string, value: string | null): void {
    if (value === null) this.#storage.run('DELETE FROM registry WHERE key = ?', key);
    else this.#set(key, value);
  }

  #set(key: string, value: string): void {
    this.#storage.run(
      'INSERT INTO registry (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }
}
