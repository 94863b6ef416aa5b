/**
 * Any structured value as bytes, for the window: JSON, with typed arrays behind it and integers that a
 * double cannot hold as text. Layout: length of the JSON (uint32), JSON, padding to 4, arrays.
 */
export function packWire(value: unknown): Uint8Array<ArrayBuffer> {
  const arrays: Uint8Array[] = [];
  let length = 0;
  const place = (tag: string, array: Float32Array | Uint8Array): Tagged => {
    const reference = new Tagged(tag, [length, array.length]);
    const padding = (4 - (array.byteLength % 4)) % 4;
    arrays.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), new Uint8Array(padding));
    length += array.byteLength + padding;
    return reference;
  };
  const json = JSON.stringify(value, function (this: unknown, key: string, given: unknown) {
    // A Buffer has been through its toJSON by now; the holder still has the bytes.
    const held = (this as Record<string, unknown>)[key];
    const inner = held instanceof Uint8Array ? held : given;
    if (typeof inner === 'number') {
      if (Object.is(inner, -0)) return new Tagged('$number', '-0');
      return Number.isFinite(inner) ? inner : new Tagged('$number', String(inner));
    }
    if (typeof inner === 'bigint') return new Tagged('$int', String(inner));
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    if (inner instanceof Float32Array) return place('$floats', inner);
    if (inner instanceof Uint8Array) return place('$bytes', inner);
    // A user's own object may have keys that look like ours.
    return inner instanceof Tagged || !hasDollarKey(inner) ? inner : renameKeys(inner, (key) => `$${key}`);
  });
  const head = new TextEncoder().encode(json ?? 'null');
  const start = align(4 + head.length);
  const bytes = new Uint8Array(start + length);
  new DataView(bytes.buffer).setUint32(0, head.length);
  bytes.set(head, 4);
  let offset = start;
  for (const array of arrays) {
    bytes.set(array, offset);
    offset += array.length;
  }
  return bytes;
}

export function unpackWire(bytes: Uint8Array): unknown {
  const headLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const start = align(4 + headLength);
  const json = new TextDecoder().decode(bytes.subarray(4, 4 + headLength));
  return JSON.parse(json, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner) || !hasDollarKey(inner))
      return inner;
    const entry = inner as Record<string, unknown>;
    if (typeof entry.$int === 'string') return BigInt(entry.$int);
    if (typeof entry.$number === 'string') return Number(entry.$number);
    if (Array.isArray(entry.$floats)) {
      const [offset, size] = entry.$floats as [number, number];
      return new Float32Array(bytes.slice(start + offset, start + offset + size * 4).buffer);
    }
    if (Array.isArray(entry.$bytes)) {
      const [offset, size] = entry.$bytes as [number, number];
      return bytes.slice(start + offset, start + offset + size);
    }
    return renameKeys(entry, (key) => key.slice(1));
  });
}

class Tagged {
  [tag: string]: unknown;
  constructor(tag: string, value: unknown) {
    this[tag] = value;
  }
}

function align(offset: number): number {
  return offset + ((4 - (offset % 4)) % 4);
}

function hasDollarKey(value: object): boolean {
  for (const key in value) if (key.charCodeAt(0) === 36) return true;
  return false;
}

/** Renames only the keys that begin with a dollar sign. */
function renameKeys(value: object, rename: (key: string) => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.startsWith('$') ? rename(key) : key, inner]),
  );
}
