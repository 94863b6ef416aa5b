import type { RegistryEntry, RegistryIndex } from '@trestle/driver-kit/registry';
import type { Logger } from 'pino';
import { AppError, type AppErrorDetails, appErrorDetails } from '../errors.ts';
import { SharedTask } from '../shared-task.ts';
import { cancelledError, toAppError } from '../translate-error.ts';
import type { RegistryStatus } from '../types.ts';
import { registryAddress } from './registry-address.ts';
import { readRegistryFile } from './registry-source.ts';
import type { KnownRegistry, RegistryStore } from './registry-store.ts';
import { datesProblem } from './signed-dates.ts';
import { fingerprint, foreignSigner, verifyIndex } from './verify.ts';

/** A registry and the keys that this build of the app pins for it. */
export interface PinnedRegistry {
  address: string;
  keys: string[];
}

interface Options {
  store: RegistryStore;
  /** The registry that this app was built for, or null. */
  pinned: PinnedRegistry | null;
  /** A registry from the environment. It replaces the app's own and the user's choice. */
  override: string | null;
  log: Logger;
  onChange(): void;
  now?: () => number;
}

/** The plugin registry in use: its verified index, from the registry itself or from the last valid copy. */
export class Registry {
  readonly #options: Options;
  #index: RegistryIndex | null = null;
  #problem: AppErrorDetails | null = null;
  /** The key of the last index that was read, if the user must still confirm this key. */
  #unconfirmed: string | null = null;
  #reading: SharedTask<void> | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#readCopy();
  }

  get address(): URL | null {
    const { override, store, pinned } = this.#options;
    const text = override ?? store.customAddress ?? pinned?.address;
    return text === undefined ? null : registryAddress(text);
  }

  /** False if the environment or the user named a registry instead of the app's own. */
  get isOwn(): boolean {
    const { override, store } = this.#options;
    return override === null && store.customAddress === null;
  }

  /** Whether the app's own registry is in use, and the key is one of its keys. */
  isVendor(key: string): boolean {
    return this.isOwn && (this.#index?.keys.includes(key) ?? false);
  }

  get entries(): RegistryEntry[] {
    return this.#index?.plugins ?? [];
  }

  /** Why nothing is installed from the index that is in use: it has expired, or the clock is wrong. */
  get stale(): AppError | null {
    return this.#index && datesProblem(indexName, this.#index, this.#now());
  }

  get status(): RegistryStatus {
    const { address, stale } = this;
    return {
      address: address?.href ?? null,
      origin: this.#options.override !== null ? 'environment' : this.isOwn ? 'app' : 'settings',
      name: this.#index?.name ?? null,
      fetchedAt: (address && this.#known(address)?.fetchedAt) ?? null,
      problem: this.#problem ?? (stale && appErrorDetails(stale)),
      unconfirmed: this.#unconfirmed === null ? null : fingerprint(this.#unconfirmed),
    };
  }

  /**
   * Reads the index, unless there is one that was read within the last five minutes. With `force`, or for
   * a local folder, this limit does not apply.
   */
  async refresh({ signal, force = false }: { signal: AbortSignal; force?: boolean }): Promise<void> {
    const { fetchedAt } = this.status;
    const age = fetchedAt === null ? Infinity : this.#now() - Date.parse(fetchedAt);
    // Reading a local folder is cheap, and a build may have changed it.
    const isLocal = this.address?.protocol === 'file:';
    if (!force && !isLocal && this.#index && !this.stale && age >= 0 && age < freshMs) return;
    if (!this.#reading || this.#reading.isAborted || this.#reading.isDone) {
      this.#reading = new SharedTask((own) => this.#read(own));
    }
    await this.#reading.join(signal);
  }

  /**
   * Switches to another registry, or with null to the app's own. Another registry is not used before the user
   * confirms its key.
   */
  use(address: string | null): void {
    const { store, override } = this.#options;
    if (override !== null) {
      throw new AppError({
        code: 'conflict',
        message: 'TRESTLE_REGISTRY names the registry of this run',
        hint: 'Start Trestle without it to choose a registry in Settings.',
      });
    }
    store.customAddress = address === null ? null : registryAddress(address).href;
    // An index of the previous registry must not be taken for one of the new registry.
    this.#reading?.abort();
    this.#index = null;
    this.#problem = null;
    this.#unconfirmed = null;
    this.#readCopy();
    this.#options.onChange();
  }

  /** The user confirmed a key by its fingerprint. This key must sign the index, until a signed index names other keys. */
  confirm(shown: string): void {
    const key = this.#unconfirmed;
    const address = this.address;
    const known = address === null ? undefined : this.#known(address);
    if (known?.keys.some((one) => fingerprint(one) === shown)) {
      throw new AppError({ code: 'conflict', message: 'This registry key is already trusted' });
    }
    if (key === null || address === null || fingerprint(key) !== shown) {
      throw new AppError({
        code: 'conflict',
        message: 'No registry key with this fingerprint waits for a confirmation',
      });
    }
    this.#options.store.setKnown(this.#nameOf(address), { keys: [key], sequence: 0, fetchedAt: null });
    this.#unconfirmed = null;
  }

  async #read(signal: AbortSignal): Promise<void> {
    const address = this.address;
    if (!address) throw noRegistry();
    try {
      const bytes = await readRegistryFile(address, 'index.json', { signal, maxBytes: largestIndex });
      if (signal.aborted) throw cancelledError();
      const known = this.#known(address);
      // The user can confirm an unknown key of another registry, but not of the app's own registry.
      this.#unconfirmed = this.isOwn ? null : foreignSigner(bytes, known?.keys ?? []);
      if (!known) throw unconfirmed(address, this.#unconfirmed!);
      const index = verifyIndex(bytes, known.keys);
      if (index.sequence < known.sequence) throw older(index.sequence, known.sequence);
      const stale = datesProblem(indexName, index, this.#now());
      if (stale) throw stale;
      const fetchedAt = new Date(this.#now()).toISOString();
      const { keys, sequence } = index;
      this.#options.store.keep(this.#nameOf(address), { keys, sequence, fetchedAt }, bytes);
      this.#index = index;
      this.#problem = null;
      this.#options.onChange();
    } catch (error) {
      const failure = toAppError(error, (text) => text);
      if (failure.code !== 'cancelled') {
        this.#problem = appErrorDetails(failure);
        this.#options.onChange();
      }
      throw failure;
    }
  }

  #readCopy(): void {
    try {
      const { address } = this;
      const bytes = address && this.#options.store.index(this.#nameOf(address));
      const known = address && this.#known(address);
      if (bytes && known) this.#index = verifyIndex(bytes, known.keys);
    } catch (error) {
      // The copy is optional. The next refresh reads the registry itself.
      this.#options.log.warn(
        { problem: (error as Error).message },
        'The kept index of the registry is not used',
      );
    }
  }

  /** Null if the user must first confirm the registry's key. */
  #known(address: URL): KnownRegistry | null {
    const known = this.#options.store.known(this.#nameOf(address));
    if (known || !this.isOwn) return known;
    return { keys: this.#options.pinned?.keys ?? [], sequence: 0, fetchedAt: null };
  }

  /**
   * The registry's name in the store. For the app's own registry it includes the pinned keys: a build with other keys
   * must not use the entries of this build.
   */
  #nameOf(address: URL): string {
    return this.isOwn ? `${address.href} ${this.#options.pinned?.keys.join(' ')}` : address.href;
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }
}

const freshMs = 5 * 60_000;
const indexName = 'The index of the registry';
const largestIndex = 20 * 1024 * 1024;

function noRegistry(): AppError {
  return new AppError({
    code: 'not_found',
    message: 'This copy of Trestle names no plugin registry',
    hint: 'Name one in Settings → Plugins, or install a driver from a file.',
  });
}

function unconfirmed(address: URL, key: string): AppError {
  return new AppError({
    code: 'refused',
    message: `The key of the registry at ${address.href} is not confirmed yet: ${fingerprint(key)}`,
    hint: 'Compare it with the key that the registry’s owner gives, and confirm it in Settings → Plugins or with `trestle plugins trust`.',
  });
}

function older(sequence: number, seen: number): AppError {
  return new AppError({
    code: 'refused',
    message: `The index of the registry (${sequence}) is older than one seen before (${seen})`,
    hint: 'An old copy may hide a security update. Trestle keeps the newer one.',
  });
}
