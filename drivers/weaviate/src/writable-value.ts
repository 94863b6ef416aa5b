import { type Cell, DriverError, doubleOf, type Json, parseCell } from '@trestle/driver-kit';
import { beaconOf, readBeacon } from './beacon.ts';
import type { Property } from './schema.ts';

/**
 * A cell in the form that the server accepts for this property. Refuses, with a reason, a value that does not fit.
 */
export function writableValue(cell: Cell, property: Property, name: string): Json {
  if (cell === null) return null;
  if (property.isArray) {
    if (!Array.isArray(cell)) throw expected(name, `a JSON array of ${property.elementType}`);
    return cell.map((one, index) => writableElement(one, property, `${name}[${index}]`));
  }
  return writableElement(cell, property, name);
}

/**
 * A list of numbers, or a list of such lists. A number that does not fit a float32 would fail a whole batch.
 */
export function writableVector(cell: Cell, name: string): Json {
  const isVector = (one: Json): boolean =>
    Array.isArray(one) &&
    one.length > 0 &&
    one.every((part) => typeof part === 'number' && Number.isFinite(Math.fround(part)));
  if (Array.isArray(cell) && (isVector(cell) || (cell.length > 0 && cell.every(isVector)))) return cell;
  throw expected(name, 'a non-empty JSON array of numbers that fit a float32');
}

function writableElement(cell: Cell, property: Property, name: string): Json {
  switch (property.elementType) {
    case 'text':
      if (typeof cell !== 'string') throw expected(name, 'text');
      return cell.toWellFormed();
    case 'boolean':
      if (typeof cell !== 'boolean') throw expected(name, 'true or false');
      return cell;
    case 'number':
      return double(cell, name);
    case 'int':
      return integer(cell, name);
    case 'date':
    case 'uuid':
      return textual(cell, property.elementType, name);
    case 'blob':
      return blob(cell, name);
    case 'geoCoordinates':
      return coordinates(cell, name);
    case 'phoneNumber':
      return phone(cell, name);
    case 'object':
      return nested(cell, property, name);
    case 'reference':
      return beacons(cell, property, name);
    default:
      throw expected(name, `a value of type ${property.nativeType}`);
  }
}

function double(cell: Cell, name: string): number {
  const number = typeof cell === 'bigint' ? doubleOf(cell) : cell;
  if (number === undefined) throw expected(name, 'a number that Weaviate stores exactly, as a double');
  if (typeof number !== 'number' || !Number.isFinite(number)) throw expected(name, 'a number');
  return number;
}

/** The server stores integers as doubles: past 2^53 it would store many of them as another number. */
function integer(cell: Cell, name: string): Json {
  const number = typeof cell === 'bigint' ? doubleOf(cell) : cell;
  if (number === undefined || (Number.isInteger(number) && Math.abs(number as number) > 2 ** 63)) {
    throw expected(name, 'an integer that Weaviate stores exactly: a double within ±9223372036854775808');
  }
  if (typeof number !== 'number' || !Number.isInteger(number)) throw expected(name, 'a whole number');
  // The server stores the integer -0 as 0.
  return number + 0;
}

function textual(cell: Cell, type: 'date' | 'uuid', name: string): Json {
  const parsed = parseCell(String(cell), type);
  if (typeof cell !== 'string' || !parsed.ok)
    throw expected(name, parsed.ok ? type : parsed.problem.slice(9));
  // The server refuses a small t or z in a date.
  return type === 'date' ? String(parsed.cell).toUpperCase() : (parsed.cell as string);
}

function blob(cell: Cell, name: string): Json {
  if (cell instanceof Uint8Array && cell.length > 0) return cell.toBase64();
  const text = typeof cell === 'string' ? cell.trim() : '';
  if (text === '' || !parseCell(text, 'bytes').ok) throw expected(name, 'non-empty base64');
  return text;
}

function coordinates(cell: Cell, name: string): Json {
  const { latitude, longitude, ...others } = members(cell, name);
  const isValid = (value: unknown, limit: number) => typeof value === 'number' && Math.abs(value) <= limit;
  if (!isValid(latitude, 90) || !isValid(longitude, 180) || Object.keys(others).length > 0) {
    throw expected(name, '{"latitude": -90…90, "longitude": -180…180}');
  }
  return { latitude: latitude as number, longitude: longitude as number };
}

/** The server computes the other members of a phone number from `input`. */
function phone(cell: Cell, name: string): Json {
  const { input, defaultCountry } = members(cell, name);
  if (typeof input !== 'string' || input === '')
    throw expected(name, '{"input": "…", "defaultCountry": "DE"}');
  return { input, ...(typeof defaultCountry === 'string' && { defaultCountry }) };
}

function nested(cell: Cell, property: Property, name: string): Json {
  const entries = Object.entries(members(cell, name)).map(([key, value]) => {
    const inner = property.nested.find((one) => one.name === key);
    // The server could add an unknown member to the schema.
    if (!inner)
      throw new DriverError({ code: 'invalid_argument', message: `${name} has no member "${key}"` });
    return [key, writableValue(value, inner, `${name}.${key}`)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

/** A list of beacons, as objects or as plain strings. An empty list means no reference. */
function beacons(cell: Cell, property: Property, name: string): Json {
  const form = `a JSON list such as [{"beacon": "${beaconOf(property.references[0] ?? '', '…uuid…')}"}]`;
  if (!Array.isArray(cell)) throw expected(name, form);
  return cell.map((one, index) => {
    const text = typeof one === 'string' ? one : (one as { beacon?: Json } | null)?.beacon;
    const target = readBeacon(text, property);
    if (!target)
      throw expected(`${name}[${index}]`, `a beacon of ${property.references.join(' or ')}: ${form}`);
    return { beacon: beaconOf(target.collection, target.id) };
  });
}

function members(cell: Cell, name: string): { [key: string]: Json } {
  if (typeof cell !== 'object' || cell === null || Array.isArray(cell) || cell instanceof Uint8Array) {
    throw expected(name, 'a JSON object');
  }
  return cell;
}

function expected(name: string, form: string): DriverError {
  return new DriverError({ code: 'invalid_argument', message: `${name}: expected ${form.trim()}` });
}
