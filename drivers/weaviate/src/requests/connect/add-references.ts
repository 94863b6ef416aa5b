import type { Json } from '@trestle/driver-kit';
import type { SearchResult } from '@trestle/weaviate-connect';
import { beaconOf } from '../../beacon.ts';
import type { WeaviateObject } from '../../cells.ts';
import type { Property } from '../../schema.ts';
import type { QueryPlace } from '../model/objects.ts';

/** Reads the targets of one round of `objectsMessage` for these objects. */
type ReadRound = (properties: Property[], ids: string[], round: number) => Promise<SearchResult[]>;

/**
 * Adds the references of the objects as REST sends them. In one request, the server answers two target collections of
 * one reference with the objects of the first. So each further target collection needs its own request. An object with
 * references to several collections is read again over REST, because only REST has their order.
 */
export async function addReferences(
  place: QueryPlace,
  found: { object: WeaviateObject; result: SearchResult }[],
  properties: Property[],
  readRound: ReadRound,
): Promise<void> {
  const references = properties.filter(({ elementType }) => elementType === 'reference');
  if (references.length === 0 || found.length === 0) return;
  const byId = new Map(found.map(({ object }) => [object.id, object]));
  for (const { object, result } of found) addRound(object, result, references, 0);
  const rounds = Math.max(...references.map(({ references: targets }) => targets.length));
  const mixed = new Set<WeaviateObject>();
  for (let round = 1; round < rounds; round++) {
    const open = references.filter(({ references: targets }) => targets.length > round);
    for (const result of await readRound(open, [...byId.keys()], round)) {
      const object = byId.get(result.metadata?.id ?? '');
      if (object && addRound(object, result, open, round)) mixed.add(object);
    }
  }
  const objects = [...mixed];
  const whole = await place.readAll(
    objects.map(({ id }) => id),
    false,
  );
  for (const [index, object] of objects.entries()) {
    for (const { name } of references) {
      const value = whole[index]?.properties?.[name];
      if (value !== undefined) setProperty(object, name, value);
    }
  }
}

/** Returns whether a property now has references to several collections. */
function addRound(
  object: WeaviateObject,
  result: SearchResult,
  references: Property[],
  round: number,
): boolean {
  let isMixed = false;
  for (const { propName, properties: targets } of result.properties?.refProps ?? []) {
    const collection = references.find(({ name }) => name === propName)?.references[round];
    if (!collection || targets.length === 0) continue;
    const before = (object.properties?.[propName] ?? []) as Json[];
    isMixed ||= before.length > 0;
    const beacons = targets.map(({ metadata }) => ({ beacon: beaconOf(collection, metadata?.id ?? '') }));
    setProperty(object, propName, [...before, ...beacons]);
  }
  return isMixed;
}

/** `defineProperty`, because a property may be called __proto__. */
function setProperty(object: WeaviateObject, name: string, value: Json): void {
  object.properties ??= {};
  Object.defineProperty(object.properties, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
