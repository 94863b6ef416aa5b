/**
 * A JSON value as bytes, for messages and journals. The value may also contain bigints, -0, NaN, infinities,
 * Float32Arrays and Uint8Arrays. Layout: length of the JSON (uint32, big-endian), JSON, arrays. The JSON and each array
 * are padded to a multiple of 4 bytes. The first `reserved` bytes of the result stay free.
 */
export function packWire(value: unknown, reserved = 0): Uint8Array<ArrayBuffer> {
  const arrays: Uint8Array[] = [];
  let length = 0;
  const place = (array: Float32Array | Uint8Array): [offset: number, size: number] => {
    const reference: [number, number] = [length, array.length];
    const padding = (4 - (array.byteLength % 4)) % 4;
    arrays.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), new Uint8Array(padding));
    length += array.byteLength + padding;
    return reference;
  };
  const json = JSON.stringify(encode(value, place));
  const head = new TextEncoder().encode(json ?? 'null');
  const start = align(4 + head.length);
  const bytes = new Uint8Array(reserved + start + length);
  new DataView(bytes.buffer).setUint32(reserved, head.length);
  bytes.set(head, reserved + 4);
  let offset = reserved + start;
  for (const array of arrays) {
    bytes.set(array, offset);
    offset += array.length;
  }
  return bytes;
}

export function unpackWire(given: Uint8Array): unknown {
  // `given` may be a Buffer, whose `slice` shares its memory. `slice` of a plain Uint8Array copies, so each array that is
  // read has a `buffer` of its own.
  const bytes = new Uint8Array(given.buffer, given.byteOffset, given.byteLength);
  const headLength = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  const start = align(4 + headLength);
  const json = new TextDecoder().decode(bytes.subarray(4, 4 + headLength));
  return decode(
    JSON.parse(json),
    (offset, length) => bytes.slice(start + offset, start + offset + length) as Uint8Array<ArrayBuffer>,
  );
}

/**
 * Tags the values that JSON cannot express. Copies a list or an object only if something in it changes, such as a key
 * that begins with `$`. JSON's replacer and reviver would also work, but with a call per cell a page of text takes
 * several times as long.
 */
function encode(value: unknown, place: (array: Float32Array | Uint8Array) => [number, number]): unknown {
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return { $number: '-0' };
    return Number.isFinite(value) ? value : { $number: String(value) };
  }
  if (typeof value === 'bigint') return { $int: String(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Float32Array) return { $floats: place(value) };
  if (value instanceof Uint8Array) return { $bytes: place(value) };
  if ('toJSON' in value && typeof value.toJSON === 'function') return encode(value.toJSON(), place);
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const given: unknown = value[index];
      const encoded = typeof given === 'string' ? given : encode(given, place);
      if (encoded === given) continue;
      copy ??= value.slice();
      copy[index] = encoded;
    }
    return copy ?? value;
  }
  let changed = false;
  const entries = Object.entries(value);
  for (const entry of entries) {
    const [key, given] = entry;
    const encoded = encode(given, place);
    // A key of the data may look like our tags, so it gets another `$`.
    const isDollar = key.charCodeAt(0) === 36;
    if (encoded === given && !isDollar) continue;
    entry[0] = isDollar ? `$${key}` : key;
    entry[1] = encoded;
    changed = true;
  }
  return changed ? Object.fromEntries(entries) : value;
}

/** Reverses `encode` in place: the value was just parsed and nobody else uses it. */
function decode(value: unknown, read: (offset: number, length: number) => Uint8Array<ArrayBuffer>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const given: unknown = value[index];
      if (typeof given === 'object') value[index] = decode(given, read);
    }
    return value;
  }
  const entry = value as Record<string, unknown>;
  for (const key of Object.keys(entry)) {
    if (typeof entry[key] === 'object') entry[key] = decode(entry[key], read);
  }
  if (!hasDollarKey(entry)) return entry;
  if (typeof entry.$int === 'string') return BigInt(entry.$int);
  if (typeof entry.$number === 'string') return Number(entry.$number);
  if (Array.isArray(entry.$floats)) {
    const [offset, size] = entry.$floats as [number, number];
    return new Float32Array(read(offset, size * 4).buffer);
  }
  if (Array.isArray(entry.$bytes)) return read(...(entry.$bytes as [number, number]));
  return Object.fromEntries(
    Object.entries(entry).map(([key, inner]) => [key.startsWith('$') ? key.slice(1) : key, inner]),
  );
}

function align(offset: number): number {
  return offset + ((4 - (offset % 4)) % 4);
}

function hasDollarKey(value: object): boolean {
  for (const key in value) if (key.charCodeAt(0) === 36) return true;
  return false;
}
