import { type Guarded, isGuarded } from '@trestle/driver-kit';
import { type GridColumn, gridColumns, vectorColumn } from './columns.ts';
import type { Collection, Property, VectorSpace } from './schema.ts';

const changeTime = 'lastUpdateTimeUnix';

/** The server gives an object a new internal number if its vector or its coordinates change. Lists are in this order. */
export const movesObject = 'a new value changes the place of the object in lists';

/** The guarded columns of the given collections, under the names that queries use. */
export class GuardedColumns {
  readonly #guarded: Guarded;
  readonly #collections: Collection[];

  constructor(guarded: Guarded, collections: Collection[]) {
    this.#guarded = guarded;
    this.#collections = collections;
  }

  get collections(): readonly Collection[] {
    return this.#collections;
  }

  /** The server accepts `article` for `Article`. An exact match wins. */
  find(name: string): Collection | undefined {
    const known = (wanted: string) => this.#collections.find((collection) => collection.name === wanted);
    return known(name) ?? known(name.slice(0, 1).toUpperCase() + name.slice(1));
  }

  has(collection: Collection): boolean {
    return gridColumns(collection).some((column) => this.isColumn(collection, column));
  }

  isColumn(collection: Collection, { name, source }: GridColumn): boolean {
    if (isGuarded(this.#guarded, collection.name, name)) return true;
    if (source.kind === 'property') return this.#holds(collection, source.property, source.property.name);
    return source.kind === 'vector' && this.#isMadeFromGuarded(collection, source.name);
  }

  /** Whether this name is guarded: a property, `uuid`, `vector` or `vector: NAME`. Ignores case. */
  isName(collection: Collection, name: string): boolean {
    const lower = name.toLowerCase();
    return gridColumns(collection).some(({ source, ...column }) => {
      const known = source.kind === 'property' ? source.property.name : column.name;
      return known.toLowerCase() === lower && this.isColumn(collection, { ...column, source });
    });
  }

  isNameAnywhere(name: string): boolean {
    return this.#collections.some((collection) => this.isName(collection, name));
  }

  hidesIds(collection: Collection): boolean {
    return this.isName(collection, 'uuid');
  }

  /**
   * Whether the time of the latest change is guarded. Older servers keep the time if a write changes no value. So a
   * caller that writes a guess could read there whether the guess is right.
   */
  hidesChangeTime(collection: Collection): boolean {
    return this.has(collection);
  }

  /** Whether `id`, `vector`, `vectors` or the time of the latest change is guarded, in GraphQL or REST. `names`: the selected vectors. */
  isMember(collection: Collection, member: string, names?: string[]): boolean {
    if (member === 'id') return this.hidesIds(collection);
    if (member === changeTime) return this.hidesChangeTime(collection);
    if (member === 'vectors') return this.hidesVectors(collection, names);
    if (member !== 'vector') return false;
    // Without an unnamed vector, a server may return a named one as `vector`.
    const hasUnnamed = collection.vectors.some(({ name }) => name === null);
    return this.hidesVectors(collection, hasUnnamed ? [''] : undefined);
  }

  /** Whether a vector is guarded. `targets`: only vectors with these names, '' for the unnamed. Defaults to all. */
  hidesVectors(collection: Collection, targets?: string[]): boolean {
    return gridColumns(collection).some(
      (column) =>
        column.source.kind === 'vector' &&
        (!targets || targets.includes(column.source.name ?? '')) &&
        this.isColumn(collection, column),
    );
  }

  hidesVectorsAnywhere(): boolean {
    return this.#collections.some((collection) => this.hidesVectors(collection));
  }

  /**
   * The first guarded name in the path of a filter, sort or group. With `isFilter`, a reference that the filter only
   * follows is allowed (`#isOnlyPassed`). A sort or group may use the uuid in the reference, so it has no such
   * exception.
   */
  onPath(collection: Collection | undefined, path: string[], { isFilter = false } = {}): string | undefined {
    // A part may be `len(name)` or `address.street`.
    const names = path
      .filter((_, at) => !isFilter || !this.#isOnlyPassed(path, at))
      .flatMap((part) => part.split(/[^\p{L}\p{N}_]+/u))
      .filter((name) => name !== '');
    return names.find((given) => {
      const name = given === 'id' || given === '_id' ? 'uuid' : given;
      if (given === changeTime || given === `_${changeTime}`)
        return (collection && path.length === 1 ? [collection] : this.#collections).some((one) =>
          this.hidesChangeTime(one),
        );
      // A path with several parts goes through a reference to another collection.
      return collection && path.length === 1 ? this.isName(collection, name) : this.isNameAnywhere(name);
    });
  }

  /**
   * Whether the part at `at` is a reference that a filter may follow: `author` in `["author", "Person", "name"]`. A
   * guarded uuid of Person guards `author` too. But a filter with this path does not use the uuid, so it may run.
   */
  #isOnlyPassed(path: string[], at: number): boolean {
    const [part, target, end] = path.slice(at);
    if (part === undefined || target === undefined || end === undefined || !this.find(target)) return false;
    const same = this.#collections.flatMap((collection) =>
      gridColumns(collection).flatMap((column) => {
        const { source } = column;
        const name = source.kind === 'property' ? source.property.name : column.name;
        return name.toLowerCase() === part.toLowerCase() ? [{ collection, column }] : [];
      }),
    );
    return (
      same.length > 0 &&
      same.every(
        ({ collection, column: { name, source } }) =>
          source.kind === 'property' &&
          source.property.references.length > 0 &&
          !isGuarded(this.#guarded, collection.name, name) &&
          !isGuarded(this.#guarded, collection.name, source.property.name),
      )
    );
  }

  /**
   * Why a write to this guarded property of a stored object shows whether the value is new. Undefined if nothing shows
   * it. Ignores case.
   */
  whyGuessShows(collection: Collection, name: string): string | undefined {
    if (!this.isName(collection, name)) return undefined;
    const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
    if (collection.vectors.some(({ sources }) => sources.some(isSame))) return 'a vector is made from it';
    const isPlace = collection.properties.some(
      (one) => isSame(one.name) && one.elementType === 'geoCoordinates',
    );
    return isPlace ? movesObject : undefined;
  }

  /** The properties that a keyword search may use. */
  searchable(collection: Collection): string[] {
    return collection.properties
      .filter(({ searchable, name }) => searchable && !this.isName(collection, name))
      .map(({ name }) => name);
  }

  /**
   * A search for a text close to a guarded value finds the object with this value. So a vector that is made from the
   * value can reveal the value. A centroid is made from the vectors of the referenced objects. With one reference, the
   * centroid equals the vector of the referenced object.
   */
  #isMadeFromGuarded(collection: Collection, name: string | null, seen = new Set<VectorSpace>()): boolean {
    const space = collection.vectors.find((one) => one.name === name);
    if (!space || seen.has(space)) return false;
    seen.add(space);
    const isSource = ({ name: source }: Property) => space.sources.includes(source);
    if (collection.properties.some((one) => isSource(one) && this.#holds(collection, one, one.name)))
      return true;
    return (space.centroidOf?.() ?? []).some((target) =>
      target.vectors.some(
        (inner) =>
          isGuarded(this.#guarded, target.name, vectorColumn(inner)) ||
          this.#isMadeFromGuarded(target, inner.name, seen),
      ),
    );
  }

  /**
   * Whether the property, one of its nested properties, or the uuid of a collection that it references is guarded. A
   * reference contains the uuid of its target.
   */
  #holds(collection: Collection, property: Property, path: string): boolean {
    return (
      isGuarded(this.#guarded, collection.name, path) ||
      isGuarded(this.#guarded, collection.name, property.name) ||
      property.references.some((target) => isGuarded(this.#guarded, target, 'uuid')) ||
      property.nested.some((inner) => this.#holds(collection, inner, `${path}.${inner.name}`))
    );
  }
}
