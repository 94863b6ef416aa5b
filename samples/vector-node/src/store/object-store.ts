import { StoredObject } from './stored-object.ts';

type ObjectContent = Omit<ConstructorParameters<typeof StoredObject>[0], 'docId'>;

/** The objects of every collection, in memory. A shard has those of one tenant, or of a collection without tenants. */
export class ObjectStore {
  readonly #shards = new Map<string, Map<string, Map<string, StoredObject>>>();
  #nextDocId = 0;

  get(className: string, tenant: string | undefined, id: string): StoredObject | undefined {
    return this.#shards
      .get(className)
      ?.get(tenant ?? '')
      ?.get(id);
  }

  /**
   * An object with a new vector or coordinate gets a new docId, so its position among filtered results changes, as in
   * Weaviate.
   */
  put(tenant: string | undefined, content: ObjectContent): StoredObject {
    const shard = this.#shard(content.className, tenant ?? '');
    const before = shard.get(content.id);
    const keepsPlace = before !== undefined && placing(before) === placing(content);
    const object = new StoredObject({ ...content, docId: keepsPlace ? before.docId : this.#nextDocId++ });
    // A Map does not move a key that it already has. So the key is deleted first and goes to the end, in docId order.
    if (!keepsPlace) shard.delete(object.id);
    shard.set(object.id, object);
    return object;
  }

  delete(className: string, tenant: string | undefined, id: string): boolean {
    return (
      this.#shards
        .get(className)
        ?.get(tenant ?? '')
        ?.delete(id) ?? false
    );
  }

  dropClass(className: string): void {
    this.#shards.delete(className);
  }

  dropTenant(className: string, tenant: string): void {
    this.#shards.get(className)?.delete(tenant);
  }

  /** In docId order. */
  inOrder(className: string, tenant: string | undefined): StoredObject[] {
    return [
      ...(this.#shards
        .get(className)
        ?.get(tenant ?? '')
        ?.values() ?? []),
    ];
  }

  /** In uuid order, like an unfiltered list. */
  byId(className: string, tenant: string | undefined): StoredObject[] {
    return this.inOrder(className, tenant).sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The vector `name` of any object except `exceptId`. In a shard, all vectors of one name have the same length. */
  sampleVector(
    className: string,
    tenant: string | undefined,
    name: string,
    exceptId: string,
  ): readonly number[] | undefined {
    for (const object of this.#shards
      .get(className)
      ?.get(tenant ?? '')
      ?.values() ?? []) {
      const vector = object.id === exceptId ? undefined : object.vectors.get(name);
      if (vector) return vector;
    }
    return undefined;
  }

  count(className: string, tenant: string | undefined): number {
    return this.#shards.get(className)?.get(tenant ?? '')?.size ?? 0;
  }

  #shard(className: string, tenant: string): Map<string, StoredObject> {
    const tenants = this.#shards.get(className) ?? new Map<string, Map<string, StoredObject>>();
    const shard = tenants.get(tenant) ?? new Map<string, StoredObject>();
    this.#shards.set(className, tenants.set(tenant, shard));
    return shard;
  }
}

function placing({ vectors, properties }: Pick<ObjectContent, 'vectors' | 'properties'>): string {
  const places = Object.values(properties).filter(
    (value) => typeof value === 'object' && value !== null && 'latitude' in value,
  );
  return JSON.stringify([[...vectors], places]);
}
