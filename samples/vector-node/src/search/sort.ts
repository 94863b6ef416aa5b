import { type ClassDefinition, findProperty, kindOf, type PropertyDefinition } from '../definition.ts';
import { noSuchProperty, unprocessable } from '../errors.ts';
import { compareValues, type Ordinal } from '../filter/comparison.ts';
import { instantOf } from '../filter/instant.ts';
import { goLower } from '../filter/tokenizer.ts';
import type { StoredObject } from '../store/stored-object.ts';

export interface SortInput {
  path?: string[] | null;
  order?: string | null;
}

/**
 * A stable sort. Objects without a value are first in ascending order and last in descending order. Texts are compared
 * without case.
 */
export function sortObjects(
  objects: StoredObject[],
  sort: SortInput[],
  definition: ClassDefinition,
): StoredObject[] {
  const keys = sort.map((one, index) => {
    const read = reader(one, index, definition);
    const values = new Map(objects.map((object) => [object, read(object)]));
    return { values, sign: one.order === 'desc' ? -1 : 1 };
  });
  return [...objects].sort((a, b) => {
    for (const { values, sign } of keys) {
      const order = compareKeys(values.get(a) ?? null, values.get(b) ?? null) * sign;
      if (order !== 0) return order;
    }
    return 0;
  });
}

type SortKey = Ordinal[] | null;

function compareKeys(a: SortKey, b: SortKey): number {
  if (a === null || b === null) return (a === null ? 0 : 1) - (b === null ? 0 : 1);
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const order = compareValues(a[index] as Ordinal, b[index] as Ordinal);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function reader(
  { path }: SortInput,
  index: number,
  definition: ClassDefinition,
): (object: StoredObject) => SortKey {
  const refuse = (reason: string) => unprocessable(`sort parameter at position ${index}: ${reason}`);
  const [name] = path ?? [];
  if (name === undefined) throw refuse('path parameter cannot be empty');
  if ((path?.length ?? 0) > 1)
    throw refuse('sorting by reference not supported, path must have exactly one argument');
  if (name === 'id' || name === '_id') return ({ id }) => [id];
  if (name === '_creationTimeUnix') return ({ createdAt }) => [createdAt];
  if (name === '_lastUpdateTimeUnix') return ({ updatedAt }) => [updatedAt];
  const property = findProperty(definition, name);
  if (!property) throw refuse(noSuchProperty(name, definition.class));
  const { element } = kindOf(property);
  if (element === 'reference') {
    throw refuse(
      `sorting by reference not supported, property "${name}" is a ref prop to the class "${property.dataType[0]}"`,
    );
  }
  if (element === 'uuid') {
    throw refuse(
      `prop "${name}" is of type uuid/uuid[]: sorting by uuid is currently not supported - if you believe it should be, please open a feature request on github.com/weaviate/weaviate`,
    );
  }
  return (object) => keyOf(object.read(name), property);
}

function keyOf(value: unknown, property: PropertyDefinition): SortKey {
  if (value === undefined) return null;
  const { element } = kindOf(property);
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((one): Ordinal[] => {
    if (element === 'date') return [instantOf(String(one)) ?? 0n];
    if (element === 'geoCoordinates') return [one.longitude, one.latitude];
    if (element === 'phoneNumber') return [one.countryCode ?? 0, one.national ?? 0];
    if (element === 'object') return [JSON.stringify(one)];
    return [typeof one === 'string' ? goLower(one) : one];
  });
}
