import type { Cell, Json } from './values.ts';

/**
 * 53 bits as 14 hexadecimal digits, by cyrb53 (public domain). Equal values have the same fingerprint. It shows an
 * accidental difference, and is no protection against someone who looks for two values with one fingerprint.
 */
export function fingerprint(cell: Cell): string {
  if (cell instanceof Uint8Array) return hashOf(cell, 0);
  const isText = typeof cell === 'string';
  return hashOf(
    new TextEncoder().encode(isText ? cell : JSON.stringify(sorted(cell as Json))),
    isText ? 1 : 2,
  );
}

function hashOf(bytes: Uint8Array, seed: number): string {
  let low = 0xdeadbeef ^ seed;
  let high = 0x41c6ce57 ^ seed;
  for (let at = 0; at < bytes.length; at++) {
    low = Math.imul(low ^ bytes[at]!, 2654435761);
    high = Math.imul(high ^ bytes[at]!, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (4294967296 * (2097151 & high) + (low >>> 0)).toString(16).padStart(14, '0');
}

/** Two readings of an object may have its members in another order. */
function sorted(json: Json): Json {
  if (Array.isArray(json)) return json.map(sorted);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.keys(json)
      .sort()
      .map((name) => [name, sorted(json[name]!)]),
  );
}
