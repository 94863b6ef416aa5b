import { maskedUse } from '@trestle/driver-kit';
import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { collectionOfBeacon } from './beacon.ts';
import type { GuardedColumns } from './guarded-columns.ts';
import type { Collection } from './schema.ts';

/**
 * Refuses a query that uses a guarded column other than as a plain field of a `Get`. Also refuses a query that cannot
 * be checked.
 */
export function assertPlainQuery(document: DocumentNode, columns: GuardedColumns): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  }
  const check = new QueryCheck(columns, fragments);
  for (const one of document.definitions) {
    if (one.kind !== Kind.OPERATION_DEFINITION) continue;
    if (one.variableDefinitions?.length) throw maskedUse('variables (write values instead)');
    check.roots(one.selectionSet);
  }
}

/**
 * Members of `_additional` that reveal nothing about a property's value, or that are masked as columns.
 * `lastUpdateTimeUnix` does: see `hidesChangeTime`.
 */
const plainMembers = new Set([
  '__typename',
  'id',
  'vector',
  'vectors',
  'creationTimeUnix',
  'distance',
  'certainty',
  'score',
  'isConsistent',
  'tenant',
]);

const plainArguments = new Set([
  'limit',
  'offset',
  'after',
  'tenant',
  'consistencyLevel',
  'autocut',
  'objectLimit',
]);

class QueryCheck {
  readonly #columns: GuardedColumns;
  readonly #fragments: Map<string, FragmentDefinitionNode>;

  constructor(columns: GuardedColumns, fragments: Map<string, FragmentDefinitionNode>) {
    this.#columns = columns;
    this.#fragments = fragments;
  }

  roots(selection: SelectionSetNode): void {
    for (const root of this.#once(selection)) {
      const name = root.name.value;
      if (name === 'Get') for (const field of this.#once(root.selectionSet)) this.#get(field);
      else if (name === 'Aggregate')
        for (const field of this.#once(root.selectionSet)) this.#aggregate(field);
      else if (name === 'Explore') this.#explore();
      else if (!name.startsWith('__')) throw maskedUse(`${name} is not known here`);
    }
  }

  #get(field: FieldNode): void {
    const collection = this.#collection(field);
    if (!collection) return;
    const guarded = this.#columns.has(collection);
    for (const argument of field.arguments ?? []) this.#argument(collection, argument, guarded);
    const properties = this.#fields(field.selectionSet);
    this.#assertOneMeaning(properties.filter(({ name }) => name.value === '_additional'));
    for (const property of properties) {
      if (property.name.value === '_additional') this.#additional(property, collection);
      else if (!this.#columns.isName(collection, property.name.value)) this.#inside(property.selectionSet);
    }
  }

  #aggregate(field: FieldNode): void {
    const collection = this.#collection(field);
    if (!collection) return;
    const guarded = this.#columns.has(collection);
    for (const argument of field.arguments ?? []) this.#argument(collection, argument, guarded);
    for (const property of this.#fields(field.selectionSet)) {
      const name = property.name.value;
      if (this.#columns.isName(collection, name)) throw maskedUse(`Aggregate of ${collection.name}.${name}`);
    }
  }

  #collection(field: FieldNode): Collection | undefined {
    const name = field.name.value;
    if (name === '__typename') return undefined;
    const collection = this.#columns.find(name);
    if (!collection) throw maskedUse(`there is no collection ${name}`);
    return collection;
  }

  #argument(collection: Collection, { name, value }: ArgumentNode, guarded: boolean): void {
    switch (name.value) {
      case 'where':
      case 'sort':
        this.#paths(collection, pathsIn(value), name.value);
        return;
      case 'groupBy':
        this.#paths(collection, [...pathsIn(value), ...direct(value)], 'groupBy');
        return;
      case 'bm25':
      case 'hybrid':
        if (guarded) this.#keywords(collection, name.value, value);
        if (guarded && name.value === 'hybrid') this.#near(collection, value);
        this.#beacons(value);
        return;
    }
    this.#beacons(value);
    if (!guarded) return;
    // A caller could find a uuid by bisection with `after`. A search near a uuid reveals whether the uuid exists.
    if (this.#columns.hidesIds(collection) && (name.value === 'after' || name.value === 'nearObject'))
      throw maskedUse(`${name.value} on ${collection.name} uses the uuid`);
    if (plainArguments.has(name.value)) return;
    if (!name.value.startsWith('near')) throw maskedUse(`${name.value} on ${collection.name}`);
    this.#near(collection, value);
  }

  /**
   * A beacon may name an object of any collection, and the search measures the distance from the vector of that object.
   * So neither the vectors nor the uuid of that collection may be guarded. An unknown name may be an alias. Then no
   * collection may have a guarded vector or uuid.
   */
  #beacons(value: ValueNode): void {
    for (const beacon of valuesOf('beacon', value)) {
      const text = beacon.kind === Kind.STRING ? beacon.value : '';
      const name = collectionOfBeacon(text);
      if (name === null) continue;
      const collection = name === undefined ? undefined : this.#columns.find(name);
      if (collection ? this.#columns.hidesVectors(collection) : this.#columns.hidesVectorsAnywhere())
        throw maskedUse(`a search near the vector of ${text}`);
      if (collection ? this.#columns.hidesIds(collection) : this.#columns.isNameAnywhere('uuid'))
        throw maskedUse(`a search near ${text}`);
    }
  }

  #near(collection: Collection, value: ValueNode): void {
    const named = valuesOf('targetVectors', value).flatMap(direct).flat();
    const keyed = valuesOf('vectorPerTarget', value).flatMap(keysOf);
    // Weights alone choose no vector. If no other argument names a target, the search may use any vector.
    const weighted = valuesOf('weights', value).flatMap(keysOf);
    const isChosen = named.length > 0 || keyed.length > 0;
    if (this.#columns.hidesVectors(collection, isChosen ? [...named, ...keyed, ...weighted] : undefined))
      throw maskedUse(`a search by vectors of ${collection.name}`);
    // `moveTo` may name objects of the collection, and the server reports an object that does not exist.
    if (this.#columns.hidesIds(collection) && namesOwnObject(value))
      throw maskedUse(`a search near a uuid of ${collection.name}`);
  }

  /** `Explore` searches every collection, and returns beacons, which contain uuids. */
  #explore(): void {
    if (this.#columns.hidesVectorsAnywhere()) throw maskedUse('Explore searches by vectors that are masked');
    if (this.#columns.isNameAnywhere('uuid')) throw maskedUse('Explore returns uuids that are masked');
  }

  #paths(collection: Collection, paths: string[][], use: string): void {
    for (const path of paths) {
      const name = this.#columns.onPath(collection, path, { isFilter: use === 'where' });
      if (name !== undefined) throw maskedUse(`${use} of ${collection.name} by ${name}`);
    }
  }

  /**
   * Without `properties` the server searches every searchable property, guarded ones included. So the query must list
   * the properties to search. A `hybrid` may contain further keyword searches.
   */
  #keywords(collection: Collection, use: string, value: ValueNode): void {
    const given =
      value.kind === Kind.OBJECT
        ? value.fields
            .filter((field) => field.name.value === 'properties')
            .flatMap((field) => direct(field.value))
        : [];
    if (given.flat().length === 0) {
      const names = this.#columns.searchable(collection);
      throw maskedUse(
        names.length === 0
          ? `all searchable text of ${collection.name} is masked`
          : `${use} needs properties: ${names.join(', ')}`,
      );
    }
    for (const inner of valuesOf('sparseSearch', value)) this.#keywords(collection, use, inner);
    const atAnyDepth = valuesOf('properties', value).flatMap(direct).flat();
    const names = atAnyDepth.map((name) => name.split('^', 1)[0] ?? '');
    this.#paths(
      collection,
      names.map((name) => [name]),
      use,
    );
  }

  /** `inCell`: inside a reference or a group, where the members are not columns that can be masked. */
  #additional(field: FieldNode, collection: Collection, { inCell = false } = {}): void {
    const guarded = this.#columns.has(collection);
    for (const member of this.#fields(field.selectionSet)) {
      const name = member.name.value;
      if (guarded && !plainMembers.has(name))
        throw maskedUse(`_additional { ${name} } of ${collection.name}`);
      if (name === 'group') this.#group(member, collection);
      if (!inCell) continue;
      const spaces = this.#fields(member.selectionSet).map((space) => space.name.value);
      if (this.#columns.isMember(collection, name, name === 'vectors' ? spaces : undefined))
        throw maskedUse(`_additional { ${name} } of ${collection.name} inside a reference or a group`);
    }
  }

  #group(field: FieldNode, collection: Collection): void {
    for (const member of this.#fields(field.selectionSet)) {
      if (member.name.value === 'hits') this.#inside(member.selectionSet, collection.name);
    }
  }

  /**
   * All fields of a reference, an object or a group are in one result cell, and only whole columns are masked. So no
   * guarded property is allowed there.
   */
  #inside(selection: SelectionSetNode | undefined, of?: string): void {
    const collection = of === undefined ? undefined : this.#columns.find(of);
    for (const one of this.#spread(selection, of)) {
      const name = one.field.name.value;
      const inner = one.type === of ? collection : this.#columns.find(one.type ?? '');
      if (name === '_additional') {
        if (!inner) throw maskedUse(`there is no collection ${one.type ?? 'name'} for _additional`);
        this.#additional(one.field, inner, { inCell: true });
      } else if (inner ? this.#columns.isName(inner, name) : this.#columns.isNameAnywhere(name))
        throw maskedUse(
          one.type === undefined
            ? `${name} inside an object`
            : `${name} of ${one.type} inside a reference or a group`,
        );
      this.#inside(name === '_additional' ? undefined : one.field.selectionSet, one.type);
    }
  }

  /** The server merges fields of one key (alias or name) at every depth. A merged key must still mean one field. */
  #assertOneMeaning(fields: FieldNode[]): void {
    for (const same of Map.groupBy(fields, ({ alias, name }) => (alias ?? name).value).values()) {
      const selections = same.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
      if (selections.length > 0)
        this.#assertOneMeaning(this.#fields({ kind: Kind.SELECTION_SET, selections }));
    }
  }

  /**
   * Like `#fields`, but refuses a key that stands twice. The server merges fields of the same key, so one alias could
   * stand for different properties inside the two fields.
   */
  #once(selection: SelectionSetNode | undefined): FieldNode[] {
    const fields = this.#fields(selection);
    const keys = fields.map(({ alias, name }) => (alias ?? name).value);
    const twice = keys.find((key, at) => keys.indexOf(key) !== at);
    if (twice !== undefined) throw maskedUse(`${twice} stands twice in the query: write it once`);
    return fields;
  }

  #fields(selection: SelectionSetNode | undefined): FieldNode[] {
    const fields = this.#spread(selection, undefined).map(({ field }) => field);
    const names = new Map<string, string>();
    for (const { alias, name } of fields) {
      const key = alias?.value ?? name.value;
      const other = names.get(key);
      if (other !== undefined && other !== name.value) throw maskedUse(`${key} stands for two fields`);
      names.set(key, name.value);
    }
    return fields;
  }

  /** Fields, with the type that the surrounding fragment names. */
  #spread(
    selection: SelectionSetNode | undefined,
    type: string | undefined,
    depth = 0,
  ): { field: FieldNode; type: string | undefined }[] {
    if (depth > 30) throw maskedUse('its fragments are nested more than 30 deep');
    return (selection?.selections ?? []).flatMap((one: SelectionNode) => {
      if (one.kind === Kind.FIELD) return [{ field: one, type }];
      if (one.kind === Kind.INLINE_FRAGMENT)
        return this.#spread(one.selectionSet, one.typeCondition?.name.value ?? type, depth + 1);
      const fragment = this.#fragments.get(one.name.value);
      if (!fragment) throw maskedUse(`there is no fragment ${one.name.value}`);
      return this.#spread(fragment.selectionSet, fragment.typeCondition.name.value, depth + 1);
    });
  }
}

/** Every `path` inside an argument. */
function pathsIn(value: ValueNode): string[][] {
  return valuesOf('path', value).flatMap(direct);
}

/** All values under a name, at any depth of an argument. */
function valuesOf(name: string, value: ValueNode): ValueNode[] {
  if (value.kind === Kind.LIST) return value.values.flatMap((one) => valuesOf(name, one));
  if (value.kind !== Kind.OBJECT) return [];
  return value.fields.flatMap((field) =>
    field.name.value === name ? [field.value] : valuesOf(name, field.value),
  );
}

/**
 * Whether the search names an object of its own collection: by id, or by a beacon without a collection. `#beacons`
 * checks the other beacons.
 */
function namesOwnObject(value: ValueNode): boolean {
  const isOwn = (beacon: ValueNode) =>
    beacon.kind !== Kind.STRING || collectionOfBeacon(beacon.value) === null;
  return valuesOf('id', value).length > 0 || valuesOf('beacon', value).some(isOwn);
}

function keysOf(value: ValueNode): string[] {
  return value.kind === Kind.OBJECT ? value.fields.map((field) => field.name.value) : [];
}

/** A text, or a list of texts, as one path. */
function direct(value: ValueNode): string[][] {
  if (value.kind === Kind.STRING || value.kind === Kind.ENUM) return [[value.value]];
  if (value.kind !== Kind.LIST) return [];
  return [value.values.flatMap((one) => direct(one).flat())];
}
