import { type Json, parseCell } from '@trestle/driver-kit';
import type { Property } from './schema.ts';

/** A beacon is Weaviate's address of an object: `weaviate://localhost/<Collection>/<uuid>`. */
export function beaconOf(collection: string, id: string): string {
  return `weaviate://localhost/${collection}/${id}`;
}

/**
 * The object that a beacon of this property names. Null if the value is no beacon, or if the property may not point to
 * the collection of the beacon. A beacon of the old form names no collection, so it is accepted only if the property
 * points to exactly one collection.
 */
export function readBeacon(
  beacon: Json | undefined,
  property: Property,
): { collection: string; id: string } | null {
  if (typeof beacon !== 'string') return null;
  const [, named, last] = /^weaviate:\/\/[^/]+\/(?:([^/]+)\/)?([^/]+)$/.exec(beacon.trim()) ?? [];
  const uuid = parseCell(last ?? '', 'uuid');
  const collection = named ?? (property.references.length === 1 ? property.references[0] : undefined);
  if (!uuid.ok || collection === undefined || !property.references.includes(collection)) return null;
  return { collection, id: String(uuid.cell) };
}

/**
 * The collection that a beacon names. Null for the old form, which names none: the server then uses the collection of
 * the request. Undefined if the text has another form, for example with escaped characters.
 */
export function collectionOfBeacon(beacon: string): string | null | undefined {
  const parts = /^weaviate:\/\/[\w.-]+\/(?:([A-Za-z]\w*)\/)?[\da-fA-F-]+$/.exec(beacon);
  return parts ? (parts[1] ?? null) : undefined;
}
