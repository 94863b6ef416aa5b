import { type Cell, float32ToNumber, type Json, ownValue } from '@trestle/driver-kit';
import { isRecord } from './answer-shape.ts';
import type { GridColumn } from './columns.ts';
import type { Property } from './schema.ts';

/** An object as REST sends it. */
export interface WeaviateObject {
  id: string;
  properties?: { [name: string]: Json } | null;
  vector?: StoredVector;
  vectors?: { [name: string]: StoredVector } | null;
}

/** REST sends lists, Connect sends floats. A multi-vector is a list of lists. */
export type StoredVector = Json | Float32Array;

/** A property of an object as a cell. A missing key is NULL: the server does not store nulls. */
export function propertyCell(value: Json | undefined, property: Property): Cell {
  if (value === undefined || value === null) return null;
  try {
    return typedCell(value, property);
  } catch {
    // The value does not have the form that the schema says. It is shown unchanged: an error would hide the other rows.
    return value;
  }
}

function typedCell(value: Json, property: Property): Cell {
  if (property.isArray && Array.isArray(value)) {
    const element = { ...property, isArray: false };
    return value.map((one) => jsonValue(one, element));
  }
  // A reference that was removed remains as an empty list.
  if (property.elementType === 'reference' && Array.isArray(value) && value.length === 0) return null;
  if (property.elementType === 'blob' && typeof value === 'string') return Uint8Array.fromBase64(value);
  return jsonValue(value, property);
}

export function vectorOf(object: WeaviateObject, name: string | null): StoredVector | undefined {
  return name === null ? object.vector : ownValue(object.vectors, name);
}

export function cellOf(object: WeaviateObject, column: GridColumn): Cell {
  const { source } = column;
  if (source.kind === 'id') return object.id;
  if (source.kind === 'property')
    return propertyCell(ownValue(object.properties, source.property.name), source.property);
  const vector = vectorOf(object, source.name) ?? null;
  return vector instanceof Float32Array ? Array.from(vector, float32ToNumber) : vector;
}

function jsonValue(value: Json, property: Property): Json {
  if (value === null) return null;
  // A text or a list has no members. It would become an empty object, or the coordinates 0, 0.
  if (recordTypes.has(property.elementType) && !isRecord(value)) return value;
  switch (property.elementType) {
    case 'geoCoordinates': {
      const { latitude, longitude } = value as { latitude?: number; longitude?: number };
      return { latitude: float32ToNumber(latitude ?? 0), longitude: float32ToNumber(longitude ?? 0) };
    }
    case 'phoneNumber':
      return phone(value as { [key: string]: Json });
    case 'object':
      return nestedObject(value as { [key: string]: Json }, property.nested);
    case 'reference':
      return (value as { beacon?: string }[]).map(({ beacon }) => ({ beacon: String(beacon ?? '') }));
    default:
      return value;
  }
}

const recordTypes = new Set(['geoCoordinates', 'phoneNumber', 'object']);

/** REST leaves out members that GraphQL sends as null or as an empty text. Both must give the same cell. */
function phone(value: { [key: string]: Json }): Json {
  const kept = phoneMembers.filter(
    (name) => value[name] !== undefined && value[name] !== null && value[name] !== '',
  );
  return Object.fromEntries(kept.map((name) => [name, value[name] as Json]));
}

export const phoneMembers = [
  'input',
  'defaultCountry',
  'internationalFormatted',
  'nationalFormatted',
  'national',
  'countryCode',
  'valid',
];

function nestedObject(value: { [key: string]: Json }, nested: Property[]): Json {
  const entries = nested.flatMap((property) => {
    const inner = ownValue(value, property.name);
    if (inner === undefined || inner === null) return [];
    const cell = property.isArray
      ? (inner as Json[]).map((one) => jsonValue(one, { ...property, isArray: false }))
      : jsonValue(inner, property);
    return [[property.name, cell] as const];
  });
  return Object.fromEntries(entries);
}
