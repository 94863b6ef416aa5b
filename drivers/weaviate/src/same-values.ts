import { isDeepStrictEqual } from 'node:util';
import { type Json, ownValue } from '@trestle/driver-kit';
import { readBeacon } from './beacon.ts';
import { type StoredVector, vectorOf, type WeaviateObject } from './cells.ts';
import type { Collection, Property } from './schema.ts';

type Values = { [name: string]: Json };

/** Whether the object holds every value that was sent. */
export function holdsValues(object: WeaviateObject, sent: Values, { properties }: Collection): boolean {
  return Object.entries(sent).every(([name, value]) => {
    const property = properties.find((one) => one.name === name);
    return property !== undefined && isSame(ownValue(object.properties, name), value, property);
  });
}

/** Whether the object holds the sent values and no others. For a new object, which can only have the sent values. */
export function holdsOnly(object: WeaviateObject, sent: Values, { properties }: Collection): boolean {
  return properties.every((property) =>
    isSame(ownValue(object.properties, property.name), ownValue(sent, property.name), property),
  );
}

/** Whether the object holds every vector that was sent. The key '' is the unnamed vector. */
export function holdsVectors(object: WeaviateObject, sent: Values): boolean {
  return Object.entries(sent).every(([name, vector]) =>
    isDeepStrictEqual(float32(listOf(vectorOf(object, name || null) ?? null)), float32(vector)),
  );
}

function listOf(vector: StoredVector): Json {
  return vector instanceof Float32Array ? Array.from(vector) : vector;
}

/** The server stores vectors as float32. A vector may be a list of vectors. */
function float32(value: Json): Json {
  if (Array.isArray(value)) return value.map(float32);
  return typeof value === 'number' ? Math.fround(value) : value;
}

function isSame(stored: Json | undefined, sent: Json | undefined, property: Property): boolean {
  return isDeepStrictEqual(comparable(stored, property), comparable(sent, property));
}

/**
 * Converts a value to the form in which sent and stored values can be compared. The server rewrites dates, ids and
 * phone numbers, stores coordinates as float32, and leaves out nulls, empty lists and empty objects. It does the same
 * inside objects.
 */
export function comparable(value: Json | undefined, property: Property): Json {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value)) return comparableElement(value, property);
  if (value.length === 0) return null;
  return value.map((one) => (one === null ? null : comparableElement(one, property)));
}

/** The server stores the country in lower case, and adds members of its own. */
function phoneParts({ input = '', defaultCountry = '' }: { input?: string; defaultCountry?: string }): Json {
  return { input, defaultCountry: defaultCountry.toLowerCase() };
}

function comparableElement(value: Json, property: Property): Json {
  switch (property.elementType) {
    case 'date':
      return instant(value);
    case 'uuid':
      return String(value).toLowerCase();
    case 'int':
      // The server stores the integer -0 as 0.
      return value === 0 ? 0 : value;
    case 'phoneNumber':
      return phoneParts(value as { input?: string; defaultCountry?: string });
    case 'geoCoordinates': {
      const { latitude = 0, longitude = 0 } = value as { latitude?: number; longitude?: number };
      return { latitude: Math.fround(latitude), longitude: Math.fround(longitude) };
    }
    case 'reference': {
      const { beacon } = value as { beacon?: Json };
      const target = readBeacon(beacon, property);
      return target ? `${target.collection}/${target.id}` : (beacon ?? null);
    }
    case 'object':
      return comparableObject(value as Values, property.nested);
    default:
      return value;
  }
}

function comparableObject(value: Values, nested: Property[]): Json {
  const entries = nested.flatMap((property) => {
    const inner = comparable(ownValue(value, property.name), property);
    return inner === null ? [] : [[property.name, inner] as const];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}

/** One text for all spellings of a moment. The server keeps nine digits of a second, `Date` only three. */
function instant(value: Json): Json {
  const [, moment, fraction = '', zone] =
    /^(.+?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/i.exec(String(value).trim()) ?? [];
  const milliseconds = Date.parse(`${moment}${zone}`);
  const digits = fraction.slice(0, 9).replace(/0+$/, '');
  return Number.isNaN(milliseconds) ? value : `${milliseconds / 1000}.${digits}`;
}
