import { type ClassDefinition, findProperty, type PropertyDefinition } from '../definition.ts';
import { instantOf } from '../filter/instant.ts';
import { readBeacon } from './beacon.ts';
import { capitalised } from './class-defaults.ts';
import type { Database } from './database.ts';
import { isMap, uuidPattern } from './value-check.ts';

/**
 * Like Weaviate, creates an unknown collection or property from the values that were sent. Returns the definition of
 * the collection.
 */
export function extendSchema(
  database: Database,
  className: string,
  properties: Record<string, unknown>,
): ClassDefinition {
  const name = capitalised(className);
  if (!database.schema.find(name)) {
    database.commit({ op: 'addClass', class: name, definition: { class: name, properties: [] } });
  }
  for (const [property, value] of Object.entries(properties)) {
    if (value === null || findProperty(database.schema.get(name), property)) continue;
    const guessed = guess(property, value);
    if (guessed) database.commit({ op: 'addProperty', class: name, property: guessed });
  }
  return database.schema.get(name);
}

function guess(name: string, value: unknown): PropertyDefinition | null {
  if (!Array.isArray(value)) return typed(name, value, '');
  const [first] = value;
  const target = isMap(first) ? readBeacon(first.beacon) : null;
  if (target?.className) return { name, dataType: [target.className] };
  return first === undefined ? null : typed(name, first, '[]');
}

function typed(name: string, value: unknown, suffix: string): PropertyDefinition {
  const type = typeName(value);
  const nested =
    type === 'object' ? Object.entries(value as object).flatMap(([key, one]) => guess(key, one) ?? []) : null;
  return { name, dataType: [`${type}${suffix}`], ...(nested && { nestedProperties: nested }) };
}

function typeName(value: unknown): string {
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'string') {
    if (uuidPattern.test(value)) return 'uuid';
    return instantOf(value) === null ? 'text' : 'date';
  }
  if (!isMap(value)) return 'text';
  if ('latitude' in value && 'longitude' in value) return 'geoCoordinates';
  return 'input' in value ? 'phoneNumber' : 'object';
}
