import { vectorSpaces } from '../definition.ts';
import type { Embed } from '../embed.ts';
import { textModule } from './class-check.ts';
import { type Entry, type EntryObject, Journal } from './journal.ts';
import { ObjectStore } from './object-store.ts';
import { SchemaStore } from './schema-store.ts';
import type { StoredObject } from './stored-object.ts';
import { vectorsFor } from './vectorise.ts';

interface DatabaseOptions {
  embed: Embed;
  dataFolder?: string;
  /** The content before any edit. */
  seed: () => Entry[];
}

/** Collections, objects and the journal of edits. Changes are made through this class, so the three stay consistent. */
export class Database {
  schema = new SchemaStore();
  objects = new ObjectStore();
  readonly embed: Embed;
  readonly #journal: Journal;
  readonly #seed: () => Entry[];
  #unwritten: Entry[] | null = null;

  constructor({ embed, dataFolder, seed }: DatabaseOptions) {
    this.embed = embed;
    this.#journal = new Journal(dataFolder);
    this.#seed = seed;
    for (const entry of seed()) this.#apply(entry);
    for (const entry of this.#journal.read()) this.#replay(entry);
  }

  commit(...entries: Entry[]): void {
    for (const entry of entries) this.#apply(entry);
    if (this.#unwritten) this.#unwritten.push(...entries);
    else this.#journal.append(entries);
  }

  /**
   * Writes the changes of a batch to the journal together: opening the file for each row takes longer than storing the
   * row.
   */
  together<Result>(batch: () => Result): Result {
    const unwritten: Entry[] = [];
    this.#unwritten = unwritten;
    try {
      return batch();
    } finally {
      this.#unwritten = null;
      this.#journal.append(unwritten);
    }
  }

  /** Undoes every edit. */
  reset(): void {
    this.#journal.clear();
    const version = this.schema.version + 1;
    this.schema = new SchemaStore();
    this.objects = new ObjectStore();
    for (const entry of this.#seed()) this.#apply(entry);
    this.schema.version += version;
  }

  put(className: string, tenant: string | undefined, id: string, object: EntryObject): StoredObject {
    this.commit({ op: 'put', class: className, ...(tenant && { tenant }), id, object });
    return this.objects.get(className, tenant, id) as StoredObject;
  }

  /** Skips an edit that fails, for example because a newer sample no longer has its collection. */
  #replay(entry: Entry): void {
    try {
      this.#apply(entry.op === 'put' ? this.#withVectors(entry) : entry);
    } catch {
      // The other edits are still applied.
    }
  }

  /**
   * An earlier release may have made vectors of another length. One of them would make vector searches in its
   * collection fail, so they are made again.
   */
  #withVectors(entry: Extract<Entry, { op: 'put' }>): Entry {
    const definition = this.schema.get(entry.class);
    const { properties, vectors } = entry.object;
    const isMade = (name: string) =>
      vectorSpaces(definition).some((space) => space.name === name && space.vectorizer === textModule);
    const { length } = this.embed('');
    const kept = new Map(vectors.filter(([name, vector]) => vector.length === length || !isMade(name)));
    const all = vectorsFor(definition, properties, kept, this.embed);
    return { ...entry, object: { ...entry.object, vectors: [...all] } };
  }

  #apply(entry: Entry): void {
    switch (entry.op) {
      case 'addClass':
        this.schema.add(entry.definition);
        return;
      case 'replaceClass':
        this.schema.replace(entry.class, entry.definition);
        return;
      case 'dropClass':
        this.schema.remove(entry.class);
        this.objects.dropClass(entry.class);
        return;
      case 'addProperty':
        this.schema.addProperty(entry.class, entry.property);
        return;
      case 'putTenants': {
        const tenants = this.schema.tenants(entry.class);
        for (const tenant of entry.tenants) tenants.set(tenant.name, tenant);
        return;
      }
      case 'dropTenants':
        for (const name of entry.names) {
          this.schema.tenants(entry.class).delete(name);
          this.objects.dropTenant(entry.class, name);
        }
        return;
      case 'put': {
        const { vectors, ...content } = entry.object;
        const { class: className } = this.schema.get(entry.class);
        const stored = { className, id: entry.id, ...content, vectors: new Map(vectors) };
        this.objects.put(entry.tenant, stored);
        return;
      }
      case 'delete':
        this.objects.delete(entry.class, entry.tenant, entry.id);
    }
  }
}
