import { type Json, parseCell } from '@trestle/driver-kit';
import type { Property } from './schema.ts';

/** `weaviate://localhost/<Collection>/<uuid>`. */
export function beaconOf(collection: string, id: string): string {
  return `weaviate://localhost/${collection}/${id}`;
}

/**
 * The object that a beacon of this property names; null where it names none that the property may point to. The old
 * form has no collection, so it is read only where the property points to one.
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
