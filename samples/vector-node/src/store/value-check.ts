import { type ClassDefinition, findProperty, kindOf, type PropertyDefinition } from '../definition.ts';
import { instantOf } from '../filter/instant.ts';
import type { CheckedValue } from './checked-value.ts';
import { float32 } from './float32.ts';
import { phoneNumber } from './phone-number.ts';

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The value as stored, or Weaviate's message if the property cannot hold it. */
export function checkValue(value: unknown, property: PropertyDefinition, className: string): CheckedValue {
  const { element, isArray } = kindOf(property);
  const about = `${words[element]}${isArray ? ' array' : ''} property '${property.name}' on class '${className}'`;
  if (!isArray) {
    const checked = checkElement(value, property, className);
    return 'refusal' in checked ? { refusal: `invalid ${about}: ${checked.refusal}` } : checked;
  }
  if (!Array.isArray(value)) {
    return { refusal: `invalid ${about}: not a ${element} array, but ${goType(value)}` };
  }
  const values: unknown[] = [];
  for (const one of value) {
    const checked = checkElement(one, property, className);
    if ('refusal' in checked) {
      return { refusal: `invalid ${about}: invalid ${words[element]} array value: [${value.join(' ')}]` };
    }
    values.push(checked.value);
  }
  return { value: values };
}

const words: Record<string, string> = { int: 'integer' };
for (const same of [
  'text',
  'number',
  'boolean',
  'date',
  'uuid',
  'geoCoordinates',
  'phoneNumber',
  'blob',
  'object',
]) {
  words[same] = same;
}

function checkElement(value: unknown, property: PropertyDefinition, className: string): CheckedValue {
  switch (kindOf(property).element) {
    case 'text':
      return typeof value === 'string' ? { value } : { refusal: `not a string, but ${goType(value)}` };
    case 'int':
      if (typeof value !== 'number') return { refusal: `requires an integer, the given value is '${value}'` };
      return Number.isInteger(value)
        ? { value }
        : { refusal: `the JSON number '${value}' could not be converted to an int` };
    case 'number':
      return typeof value === 'number'
        ? { value }
        : { refusal: `requires a float, the given value is '${value}'` };
    case 'boolean':
      return typeof value === 'boolean' ? { value } : { refusal: `not a bool, but ${goType(value)}` };
    case 'date':
      return typeof value === 'string' && instantOf(value) !== null
        ? { value }
        : {
            refusal: `requires a string with a RFC3339 formatted date, but the given value is '${value}'`,
          };
    case 'uuid':
      return typeof value === 'string' && uuidPattern.test(value)
        ? { value: value.toLowerCase() }
        : { refusal: `requires a string of UUID format, but the given value is '${value}'` };
    case 'geoCoordinates':
      return geoCoordinates(value);
    case 'phoneNumber':
      return phoneNumber(value);
    case 'blob':
      return typeof value === 'string' && isBase64(value)
        ? { value }
        : { refusal: 'not a valid blob base64 string' };
    default:
      return nestedObject(value, property, className);
  }
}

function geoCoordinates(value: unknown): CheckedValue {
  if (!isMap(value)) return { refusal: `geoCoordinates must be a map, but got: ${goType(value)}` };
  const { latitude, longitude } = value;
  for (const [name, one] of Object.entries({ longitude, latitude })) {
    if (one === undefined) return { refusal: `geoCoordinates is missing required field '${name}'` };
    if (typeof one !== 'number') {
      return { refusal: `invalid ${name}: must be json.Number or float, but got ${goType(one)}` };
    }
  }
  return { value: { latitude: float32(latitude as number), longitude: float32(longitude as number) } };
}

function nestedObject(value: unknown, property: PropertyDefinition, className: string): CheckedValue {
  if (!isMap(value)) return { refusal: `object must be a map, but got: ${goType(value)}` };
  const own: Pick<ClassDefinition, 'properties'> = { properties: property.nestedProperties ?? [] };
  const stored: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const nested = findProperty(own, name);
    if (!nested || inner === null) continue;
    const path = `${property.name}.${name}`;
    const checked = checkValue(inner, { ...nested, name: path }, className);
    if ('refusal' in checked) return { refusal: `property '${path}': ${checked.refusal}` };
    stored[name] = checked.value;
  }
  return { value: stored };
}

function isBase64(text: string): boolean {
  return text !== '' && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text);
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  return (
    { string: 'string', number: 'json.Number', boolean: 'bool' }[typeof value as string] ??
    'map[string]interface {}'
  );
}
