import type { RegistryEntry } from '@trestle/driver-kit/registry';
import type { Registry } from '../registry/registry.ts';
import type { RegistryStore } from '../registry/registry-store.ts';

/**
 * The first publisher of an id owns it. A driver gets the secrets of its connections, so another publisher's package
 * must not take over the id.
 */
export class IdOwners {
  readonly #store: RegistryStore;
  readonly #registry: Registry;

  constructor(store: RegistryStore, registry: Registry) {
    this.#store = store;
    this.#registry = registry;
  }

  /** The owner of a package. `entry` is null for a package file that the registry does not list. */
  ownerOf(entry: RegistryEntry | null): string {
    if (!entry) return ofFile;
    // All keys of the app's own registry count as one owner: the vendor may rotate its key, and each build from
    // source has its own key.
    return this.#registry.isVendor(entry.publisher.key) ? ofVendor : `key ${entry.publisher.key}`;
  }

  /** Why this owner's package may not use this id. */
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

  /** Records the owner of the id. Returns a function that restores the previous owner. */
  claim(id: string, owner: string): () => void {
    const before = this.#store.owner(id);
    this.#store.setOwner(id, owner);
    return () => this.#store.setOwner(id, before);
  }

  /**
   * Frees the id of a removed driver. Call it only if no saved connection uses the driver: a new owner of the id would
   * get the connection's secrets.
   */
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
