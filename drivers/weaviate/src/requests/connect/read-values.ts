import { float32ToNumber, type Json } from '@trestle/driver-kit';
import { Vectors_VectorType as VectorType } from '@trestle/weaviate-connect';
import type { StoredVector } from '../../cells.ts';
import type { WireReader } from './wire.ts';

/** A message `Properties`, as REST sends the properties of an object. A property without a value is left out. */
export function readProperties(properties: WireReader): { [name: string]: Json } {
  const found: { [name: string]: Json } = {};
  while (properties.next()) {
    const entry = properties.message();
    let name = '';
    let value: Json = null;
    for (let field = entry.next(); field; field = entry.next()) {
      if (field === 1) name = entry.text();
      else if (field === 2) value = readValue(entry.message());
      else entry.skip();
    }
    if (value === null) continue;
    if (name === '__proto__') setOwn(found, name, value);
    else found[name] = value;
  }
  return found;
}

/** An assignment to `__proto__` would not make a property. */
export function setOwn(object: { [name: string]: Json }, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}

function readValue(value: WireReader): Json {
  let found: Json = null;
  for (let field = value.next(); field; field = value.next()) {
    switch (field) {
      case 1:
        found = value.double();
        break;
      case 3:
        found = value.bool();
        break;
      case 4:
        found = readProperties(value.message());
        break;
      case 5:
        found = readList(value.message());
        break;
      case 8:
        found = value.int64();
        break;
      case 9:
        found = readPlace(value.message());
        break;
      case 11:
        found = readPhone(value.message());
        break;
      // Dates, uuids, blobs and texts.
      case 6:
      case 7:
      case 10:
      case 13:
        found = value.text();
        break;
      default:
        value.skip();
    }
  }
  return found;
}

function readList(list: WireReader): Json {
  let found: Json[] = [];
  for (let field = list.next(); field; field = list.next()) {
    if (field < 2 || field > 8) {
      list.skip();
      continue;
    }
    found = readItems(list.message(), field);
  }
  return found;
}

/** Numbers come as bytes, eight for each. Other lists repeat their field. */
function readItems(items: WireReader, kind: number): Json[] {
  const found: Json[] = [];
  for (let field = items.next(); field; field = items.next()) {
    if (field !== 1) items.skip();
    else if (kind === 2) found.push(...numbersOf(items.bytes(), (bytes, at) => bytes.readDoubleLE(at)));
    else if (kind === 7)
      found.push(...numbersOf(items.bytes(), (bytes, at) => Number(bytes.readBigInt64LE(at))));
    else if (kind === 3) found.push(...items.bools());
    else if (kind === 4) found.push(readProperties(items.message()));
    else found.push(items.text());
  }
  return found;
}

function numbersOf(bytes: Buffer, read: (bytes: Buffer, at: number) => number): number[] {
  return Array.from({ length: Math.floor(bytes.length / 8) }, (_, index) => read(bytes, index * 8));
}

function readPlace(place: WireReader): Json {
  let [latitude, longitude] = [0, 0];
  for (let field = place.next(); field; field = place.next()) {
    if (field === 1) longitude = float32ToNumber(place.float());
    else if (field === 2) latitude = float32ToNumber(place.float());
    else place.skip();
  }
  return { latitude, longitude };
}

function readPhone(phone: WireReader): Json {
  const found: { [name: string]: Json } = { countryCode: 0, national: 0, valid: false };
  for (let field = phone.next(); field; field = phone.next()) {
    const name = phoneFields[field];
    if (name === undefined) phone.skip();
    else if (name === 'valid') found[name] = phone.bool();
    else found[name] = name === 'countryCode' || name === 'national' ? phone.varint() : phone.text();
  }
  return found;
}

const phoneFields: Partial<Record<number, string>> = {
  1: 'countryCode',
  2: 'defaultCountry',
  3: 'input',
  4: 'internationalFormatted',
  5: 'national',
  6: 'nationalFormatted',
  7: 'valid',
};

/** A multi-vector comes as the number of its dimensions, and then all of its rows. */
export function vectorOf(bytes: Buffer, type: number): StoredVector {
  if (type !== VectorType.MULTI_FP32) return floatsOf(bytes);
  if (bytes.length < 2) return [];
  const dimensions = bytes.readUInt16LE(0);
  const floats = floatsOf(bytes.subarray(2));
  const rows = dimensions === 0 ? 0 : Math.floor(floats.length / dimensions);
  return Array.from({ length: rows }, (_, row) =>
    Array.from(floats.subarray(row * dimensions, (row + 1) * dimensions), float32ToNumber),
  );
}

/** Copies, because floats in memory must start at a multiple of 4. `slice` of a Buffer does not copy. */
function floatsOf(bytes: Buffer): Float32Array {
  const whole = new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 4)));
  return new Float32Array(whole.buffer);
}
