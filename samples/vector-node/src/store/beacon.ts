import { uuidPattern } from './value-check.ts';

export interface BeaconTarget {
  /** Undefined in the old form of a beacon, which names no collection. */
  className?: string;
  id: string;
}

/** `weaviate://localhost/<Class>/<uuid>`. Null if the text is not a beacon. */
export function readBeacon(beacon: unknown): BeaconTarget | null {
  if (typeof beacon !== 'string') return null;
  const [, className, id] = /^weaviate:\/\/[^/]+\/(?:([A-Z][_0-9A-Za-z]*)\/)?([^/]+)$/.exec(beacon) ?? [];
  if (!id || !uuidPattern.test(id)) return null;
  return { ...(className && { className }), id: id.toLowerCase() };
}

export function beaconOf(className: string, id: string): string {
  return `weaviate://localhost/${className}/${id}`;
}
