import { kindOf, type PropertyDefinition } from '../definition.ts';
import { tokenize } from '../filter/tokenizer.ts';

/** One object of a shard. It is immutable: an edit replaces it. */
export class StoredObject {
  readonly className: string;
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly vectors: ReadonlyMap<string, readonly number[]>;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Filtered, unsorted results are in docId order. */
  readonly docId: number;
  readonly #terms = new Map<string, string[]>();

  constructor(given: {
    className: string;
    id: string;
    properties: Record<string, unknown>;
    vectors: ReadonlyMap<string, readonly number[]>;
    createdAt: number;
    updatedAt: number;
    docId: number;
  }) {
    this.className = given.className;
    this.id = given.id;
    this.properties = given.properties;
    this.vectors = given.vectors;
    this.createdAt = given.createdAt;
    this.updatedAt = given.updatedAt;
    this.docId = given.docId;
  }

  /**
   * Undefined if the object lacks the property: null is never stored. A property may be called `constructor`, so
   * inherited members do not count.
   */
  read(name: string): unknown {
    return Object.hasOwn(this.properties, name) ? this.properties[name] : undefined;
  }

  /** The values of a property: none, one or many. */
  elements(name: string): unknown[] {
    const value = this.read(name);
    return value === undefined ? [] : Array.isArray(value) ? value : [value];
  }

  /** The index terms of a text property, with repeats. */
  terms(property: PropertyDefinition): string[] {
    const tokenization = property.tokenization ?? 'word';
    const key = `${tokenization} ${property.name}`;
    let terms = this.#terms.get(key);
    if (!terms) {
      terms =
        kindOf(property).element === 'text'
          ? this.elements(property.name).flatMap((text) => tokenize(String(text), tokenization))
          : [];
      this.#terms.set(key, terms);
    }
    return terms;
  }
}

export interface Reference {
  beacon: string;
  href?: string;
}

export function isBlank(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}
