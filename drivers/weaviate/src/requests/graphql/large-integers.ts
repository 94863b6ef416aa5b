import { type Json, ownValue } from '@trestle/driver-kit';
import type { WeaviateObject } from '../../cells.ts';
import type { Property } from '../../schema.ts';
import { idsIn, type Where } from '../model/where.ts';

/** Reads objects again. */
interface ObjectReader {
  idsWhere(where: Where, limit: number): Promise<string[]>;
  readAll(ids: string[], withVectors: boolean): Promise<(WeaviateObject | null)[]>;
}

/**
 * GraphQL answers null for an integer outside 32 bits. So a filter asks the server which rows with a null have such an
 * integer. These rows are read again over REST, and also the rows with a null in a property that cannot be filtered.
 */
export async function rereadLargeIntegers(
  reader: ObjectReader,
  objects: WeaviateObject[],
  properties: Property[],
): Promise<void> {
  const suspects = objects.filter((object) => properties.some((property) => mayHide(property, object)));
  if (suspects.length === 0) return;
  const asked = properties.filter((property) => property.elementType === 'int' && isIndexed(property));
  // Some properties cannot be filtered. A row is read again if a null in one of these properties might hide a value.
  const unaskable = properties.filter((property) => hasIntegers(property) && !asked.includes(property));
  const certain = new Set(
    suspects.filter((object) => unaskable.some((property) => mayHide(property, object))).map(({ id }) => id),
  );
  const open = suspects.filter(({ id }) => !certain.has(id)).map(({ id }) => id);
  if (open.length > 0 && asked.length > 0) {
    for (const id of await reader.idsWhere(outside32Bits(open, asked), open.length)) certain.add(id);
  }
  const ids = [...certain];
  const fresh = await reader.readAll(ids, false);
  const byId = new Map(fresh.flatMap((object) => (object ? [[object.id, object] as const] : [])));
  for (const object of objects) object.properties = byId.get(object.id)?.properties ?? object.properties;
}

function outside32Bits(ids: string[], properties: Property[]): Where {
  const bounds = properties.flatMap(({ name }): Where[] => [
    { path: [name], operator: 'GreaterThan', value: { type: 'int', value: 2147483647n } },
    { path: [name], operator: 'LessThan', value: { type: 'int', value: -2147483648n } },
  ]);
  return { operator: 'And', operands: [idsIn(ids), { operator: 'Or', operands: bounds }] };
}

function isIndexed(property: Property): boolean {
  return property.filterable || property.rangeable;
}

function hasIntegers(property: Property): boolean {
  return property.elementType === 'int' || property.nested.some(hasIntegers);
}

function mayHide(property: Property, object: WeaviateObject): boolean {
  return hasIntegers(property) && holdsNull(ownValue(object.properties, property.name), property);
}

function holdsNull(value: Json | undefined, property: Property): boolean {
  if (property.elementType === 'int') {
    return value === null || value === undefined || (Array.isArray(value) && value.includes(null));
  }
  if (Array.isArray(value)) return value.some((one) => holdsNull(one, property));
  if (typeof value !== 'object' || value === null) return false;
  return property.nested.some((inner) => hasIntegers(inner) && holdsNull(ownValue(value, inner.name), inner));
}
