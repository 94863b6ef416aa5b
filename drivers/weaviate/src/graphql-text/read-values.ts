import { float32ToNumber, type Json } from '@trestle/driver-kit';
import {
  type ListValue,
  type PhoneNumber,
  type Properties,
  type Value,
  type Vectors,
  Vectors_VectorType as VectorType,
} from '@trestle/weaviate-connect';
import type { StoredVector } from '../cells.ts';

/** The properties of an object as REST sends them. A property without a value is left out. */
export function propertiesOf({ fields }: Properties): { [name: string]: Json } {
  // `fromEntries` defines its keys, so that a property called __proto__ stays a property.
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const json = jsonOf(value);
      return json === null ? [] : [[name, json] as const];
    }),
  );
}

function jsonOf({ kind }: Value): Json {
  switch (kind.case) {
    case undefined:
    case 'nullValue':
      return null;
    case 'intValue':
      return Number(kind.value);
    case 'objectValue':
      return propertiesOf(kind.value);
    case 'listValue':
      return listOf(kind.value);
    case 'geoValue':
      return {
        latitude: float32ToNumber(kind.value.latitude),
        longitude: float32ToNumber(kind.value.longitude),
      };
    case 'phoneValue':
      return phoneOf(kind.value);
    default:
      return kind.value;
  }
}

function listOf({ kind }: ListValue): Json {
  switch (kind.case) {
    case undefined:
      return [];
    case 'intValues':
      return numbersOf(kind.value.values, (view, at) => Number(view.getBigInt64(at, true)));
    case 'numberValues':
      return numbersOf(kind.value.values, (view, at) => view.getFloat64(at, true));
    case 'objectValues':
      return kind.value.values.map(propertiesOf);
    default:
      return kind.value.values;
  }
}

function numbersOf(bytes: Uint8Array, read: (view: DataView, at: number) => number): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.byteLength / 8) }, (_, index) => read(view, index * 8));
}

function phoneOf({ $typeName: _, $unknown: __, ...phone }: PhoneNumber): Json {
  return { ...phone, countryCode: Number(phone.countryCode), national: Number(phone.national) };
}

/** A multi-vector comes as the number of its dimensions, and then all of its rows. */
export function vectorOf({ vectorBytes: bytes, type }: Pick<Vectors, 'vectorBytes' | 'type'>): StoredVector {
  if (type !== VectorType.MULTI_FP32) return floatsOf(bytes);
  if (bytes.byteLength < 2) return [];
  const dimensions = bytes[0]! + bytes[1]! * 256;
  const floats = floatsOf(bytes.subarray(2));
  const rows = dimensions === 0 ? 0 : Math.floor(floats.length / dimensions);
  return Array.from({ length: rows }, (_, row) =>
    Array.from(floats.subarray(row * dimensions, (row + 1) * dimensions), float32ToNumber),
  );
}

/** Copies, because floats in memory must start at a multiple of 4. `slice` of a Buffer does not copy. */
function floatsOf(bytes: Uint8Array): Float32Array {
  const whole = new Uint8Array(bytes.subarray(0, bytes.byteLength - (bytes.byteLength % 4)));
  return new Float32Array(whole.buffer);
}
