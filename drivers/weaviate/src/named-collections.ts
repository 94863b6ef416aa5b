import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type NameNode,
  type ObjectFieldNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { collectionName } from './loss.ts';
import type { RestLine } from './rest-line.ts';
import type { Collection } from './schema.ts';

/**
 * The collections that a query may read, and those that their centroid vectors (ref2vec) are computed from. Undefined
 * if the query may read further collections, for example through a server alias or a variable.
 */
export function collectionsIn(document: DocumentNode, collections: Collection[]): string[] | undefined {
  const names = new Set<string>();
  const add = ({ value }: { value: string }) => void names.add(collectionName(value));
  // A beacon names its collection inside a text.
  const addParts = ({ value }: { value: string }) => {
    for (const part of value.split('/')) add({ value: part });
  };
  // Skips a field without a selection: it is usually a plain value. If it is a collection, it is added below.
  const addName = (node: NameNode, key: unknown, parent: unknown) => {
    if (key !== 'name' || !isLeaf(parent)) add(node);
  };
  let hasVariables = false;
  const addVariable = () => {
    hasVariables = true;
  };
  visit(document, {
    [Kind.NAME]: addName,
    // A filter path with one name leads to no other collection.
    [Kind.OBJECT_FIELD]: (field) => (isShortPath(field) ? false : undefined),
    [Kind.STRING]: addParts,
    [Kind.ENUM]: add,
    [Kind.VARIABLE]: addVariable,
  });
  // The path of a filter may be in a variable, and lead to another collection.
  if (hasVariables) return undefined;
  const known = collections.map(({ name }) => name);
  const fragments: Fragments = new Map();
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  }
  const asked = rootsOf(document, fragments).flatMap((root) =>
    root.name.value === 'Explore' || root === unread
      ? ['']
      : fieldsOf(fragments, root.selectionSet).map((field) => field.name.value),
  );
  for (const value of asked) add({ value });
  const isKnown = (name: string) => name.startsWith('__') || known.includes(collectionName(name));
  return asked.every(isKnown) ? withCentroids(collections.filter(({ name }) => names.has(name))) : undefined;
}

function isLeaf(node: unknown): boolean {
  const { kind, selectionSet } = (node ?? {}) as Partial<FieldNode>;
  return kind === Kind.FIELD && selectionSet === undefined;
}

function isShortPath({ name, value }: ObjectFieldNode): boolean {
  if (name.value !== 'path' || value.kind !== Kind.LIST || value.values.length !== 1) return false;
  return value.values[0]?.kind === Kind.STRING;
}

/** The collections whose values are in the objects that a request returns. Undefined if any collection is possible. */
export function collectionsOf(
  { segments, query, effect }: RestLine,
  collections: Collection[],
): string[] | undefined {
  const [root, first] = segments;
  if (root === 'objects') {
    // `?class=` selects the collection only in a list. A new object names its collection in the body. If the path has a
    // uuid but no collection, the server looks in every collection.
    const listed = segments.length === 1 && effect === 'read' ? query.class : undefined;
    const name = collectionName((segments.length > 2 ? first : listed) ?? '');
    const found = collections.find((collection) => collection.name === name);
    return found && withCentroids([found]);
  }
  return ['meta', 'schema', 'nodes', 'aliases', '.well-known'].includes(root ?? '') ? [] : undefined;
}

/**
 * Adds the collections that centroids (ref2vec) are computed from. The centroid of a single object equals the vector of
 * that object, and so reveals the vector.
 */
function withCentroids(collections: Collection[]): string[] {
  const found = new Set(collections);
  // The loop over a Set also reaches the collections that are added during the loop.
  for (const { vectors } of found)
    for (const { centroidOf } of vectors) for (const target of centroidOf?.() ?? []) found.add(target);
  return [...found].map(({ name }) => name);
}

/** Stands for fields of fragments nested too deep to follow. Its name is empty, so it matches no collection. */
const unread = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '' } } as FieldNode;

type Fragments = Map<string, FragmentDefinitionNode>;

function rootsOf(document: DocumentNode, fragments: Fragments): FieldNode[] {
  return document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? fieldsOf(fragments, one.selectionSet) : [],
  );
}

function fieldsOf(fragments: Fragments, selection: SelectionSetNode | undefined, depth = 0): FieldNode[] {
  if (depth > 30) return [unread];
  return (selection?.selections ?? []).flatMap((one) => {
    if (one.kind === Kind.FIELD) return [one];
    if (one.kind === Kind.INLINE_FRAGMENT) return fieldsOf(fragments, one.selectionSet, depth + 1);
    return fieldsOf(fragments, fragments.get(one.name.value)?.selectionSet, depth + 1);
  });
}
