import type { RegistryEntry } from '@trestle/driver-kit/registry';
import type { Registry } from '../registry/registry.ts';
import type { RegistryStore } from '../registry/registry-store.ts';

/**
 * An id belongs to whoever first published it here: a driver gets the secrets of its connections, so a stranger's
 * package must not take the id of another's.
 */
export class IdOwners {
  readonly #store: RegistryStore;
  readonly #registry: Registry;

  constructor(store: RegistryStore, registry: Registry) {
    this.#store = store;
    this.#registry = registry;
  }

  /** The owner that a package would have; `entry` is null for a file that no registry lists. */
  ownerOf(entry: RegistryEntry | null): string {
    if (!entry) return ofFile;
    // The app's own vendor may roll its key over, and each build of the app from source has a key of its own.
    return this.#registry.isVendor(entry.publisher.key) ? ofVendor : `key ${entry.publisher.key}`;
  }

  /** Why a package of this owner may not have this id. */
  refuse(id: string, owner: string): string | undefined {
    const recorded = this.#store.owner(id);
    if (recorded === owner) return undefined;
    if (recorded !== null) return `the id ${id} belongs to ${nameOf(recorded)}`;
    const listed = this.#registry.entries.find(({ manifest }) => manifest.id === id);
    if (owner === ofFile && listed) {
      return `the id ${id} belongs to ${listed.publisher.name} in the registry, and this file is not theirs`;
    }
    return undefined;
  }

  /** Gives what undoes it. */
  claim(id: string, owner: string): () => void {
    const before = this.#store.owner(id);
    this.#store.setOwner(id, owner);
    return () => this.#store.setOwner(id, before);
  }

  /** Once no connection of the driver is left, there is nothing that a new owner could get. */
  release(id: string): void {
    this.#store.setOwner(id, null);
  }
}

const ofFile = 'file';
const ofVendor = 'vendor';

function nameOf(owner: string): string {
  if (owner === ofFile) return 'a driver that was installed from a file';
  if (owner === ofVendor) return 'the publisher of Trestle';
  return 'another publisher';
}
