import { type ClassDefinition, findProperty, kindOf, unnamedVector } from '../definition.ts';
import { readBeacon } from '../store/beacon.ts';
import type { Reference, StoredObject } from '../store/stored-object.ts';

/** An object as `GET` returns it. */
export function readAnswer(
  object: StoredObject,
  definition: ClassDefinition,
  { withVectors, tenant }: { withVectors: boolean; tenant?: string },
): object {
  return {
    class: object.className,
    creationTimeUnix: object.createdAt,
    id: object.id,
    lastUpdateTimeUnix: object.updatedAt,
    properties: withLinks(object, definition),
    ...(tenant && { tenant }),
    ...(withVectors && vectorFields(object, definition)),
    vectorWeights: null,
  };
}

/** The answer to a write: the timestamps are among the properties if the collection indexes them. */
export function writeAnswer(
  object: StoredObject,
  definition: ClassDefinition,
  tenant: string | undefined,
): object {
  const times = {
    _creationTimeUnix: object.createdAt,
    _lastUpdateTimeUnix: object.updatedAt,
  };
  return {
    class: object.className,
    creationTimeUnix: object.createdAt,
    id: object.id,
    lastUpdateTimeUnix: object.updatedAt,
    properties: {
      ...(definition.invertedIndexConfig?.indexTimestamps && times),
      ...withLinks(object, definition),
    },
    ...(tenant && { tenant }),
    ...vectorFields(object, definition),
  };
}

function vectorFields({ vectors }: StoredObject, { vectorConfig }: ClassDefinition): object {
  if (vectors.size === 0) return {};
  return vectorConfig ? { vectors: Object.fromEntries(vectors) } : { vector: vectors.get(unnamedVector) };
}

function withLinks(object: StoredObject, definition: ClassDefinition): Record<string, unknown> {
  const entries = Object.entries(object.properties).map(([name, value]) => {
    const property = findProperty(definition, name);
    if (!property || kindOf(property).element !== 'reference') return [name, value];
    return [name, (value as Reference[]).map(withLink)];
  });
  return Object.fromEntries(entries);
}

function withLink({ beacon }: Reference): Reference {
  const target = readBeacon(beacon);
  return target ? { beacon, href: `/v1/objects/${target.className}/${target.id}` } : { beacon };
}
