import type { Json } from '@trestle/driver-kit';
import type { WeaviateObject } from '../../cells.ts';
import type { Property } from '../../schema.ts';
import type { QueryPlace } from '../model/objects.ts';

/** Connect sends every integer from 2^63 on as this one. */
const overflow = -(2 ** 63);

/** Reads the objects again that may have an integer of 2^63 or more. REST sends it. */
export async function rereadOverflow(
  place: QueryPlace,
  objects: WeaviateObject[],
  properties: Property[],
): Promise<void> {
  const names = properties.filter(hasIntegers).map(({ name }) => name);
  if (names.length === 0) return;
  const open = objects.filter((object) => names.some((name) => holds(object.properties?.[name])));
  const whole = await place.readAll(
    open.map(({ id }) => id),
    false,
  );
  for (const [index, object] of open.entries()) {
    object.properties = { ...object.properties, ...whole[index]?.properties };
  }
}

function hasIntegers({ elementType, nested }: Property): boolean {
  return elementType === 'int' || nested.some(hasIntegers);
}

function holds(value: Json | undefined): boolean {
  if (typeof value === 'number') return value === overflow;
  return typeof value === 'object' && value !== null && Object.values(value).some(holds);
}
