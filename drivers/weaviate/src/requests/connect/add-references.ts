import type { Json } from '@trestle/driver-kit';
import { beaconOf } from '../../beacon.ts';
import type { WeaviateObject } from '../../cells.ts';
import type { Property } from '../../schema.ts';
import type { QueryPlace } from '../model/objects.ts';
import type { ReadResult } from './read-results.ts';
import { setOwn } from './read-values.ts';
import { furtherRounds } from './write-search.ts';

/** Reads the targets of one round of `objectsMessage` for these objects. */
type ReadRound = (properties: Property[], ids: string[], round: number) => Promise<ReadResult[]>;

/**
 * Adds the references of the objects as REST sends them. In one request, the server answers two target collections of
 * one reference with the objects of the first. So each further target collection needs its own request. An object with
 * references to several collections is read again over REST, because only REST has their order.
 */
export async function addReferences(
  place: QueryPlace,
  results: ReadResult[],
  properties: Property[],
  readRound: ReadRound,
): Promise<void> {
  const references = properties.filter(({ elementType }) => elementType === 'reference');
  if (references.length === 0 || results.length === 0) return;
  const byId = new Map(results.map(({ found: { object } }) => [object.id, object]));
  for (const result of results) addRound(result.found.object, result, references, 0);
  const mixed = new Set<WeaviateObject>();
  for (const { round, references: open } of furtherRounds(references)) {
    for (const result of await readRound(open, [...byId.keys()], round)) {
      const object = byId.get(result.found.object.id);
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
  result: ReadResult,
  references: Property[],
  round: number,
): boolean {
  let isMixed = false;
  for (const { name, ids } of result.references) {
    const collection = references.find((one) => one.name === name)?.references[round];
    if (!collection || ids.length === 0) continue;
    const before = (object.properties?.[name] ?? []) as Json[];
    isMixed ||= before.length > 0;
    setProperty(object, name, [...before, ...ids.map((id) => ({ beacon: beaconOf(collection, id) }))]);
  }
  return isMixed;
}

function setProperty(object: WeaviateObject, name: string, value: Json): void {
  object.properties ??= {};
  setOwn(object.properties, name, value);
}
