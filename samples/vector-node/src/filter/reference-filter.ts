import type { PropertyDefinition } from '../definition.ts';
import { ServerError, unprocessable } from '../errors.ts';
import { readBeacon } from '../store/beacon.ts';
import { findTarget } from '../store/references.ts';
import type { Reference, StoredObject } from '../store/stored-object.ts';
import type { Test } from './comparison.ts';
import type { FilterContext } from './filter-context.ts';
import type { Leaf } from './where.ts';

/** `compile` compiles the rest of the path. It is passed in, since an import of compile.ts would be circular. */
type ReferenceContext = FilterContext & { compile(leaf: Leaf, context: FilterContext): Test };

/** An object matches if any object that it points to matches the rest of the path. */
export function referenceTest(
  leaf: Leaf,
  property: PropertyDefinition,
  context: ReferenceContext,
): (object: StoredObject) => boolean {
  const [, targetName = '', ...rest] = leaf.path;
  const { database } = context;
  const definition = database.schema.get(targetName);
  const test = nestedTest({ ...leaf, path: rest }, { ...context, definition });
  return (object) =>
    (object.elements(property.name) as Reference[]).some(({ beacon }) => {
      const target = readBeacon(beacon);
      if (!target || (target.className ?? property.dataType[0]) !== definition.class) return false;
      const found = findTarget(database, definition.class, target.id);
      return found !== undefined && test(found);
    });
}

function nestedTest(
  leaf: Leaf,
  { compile, ...context }: ReferenceContext,
): (object: StoredObject) => boolean {
  try {
    return compile(leaf, context);
  } catch (error) {
    if (!(error instanceof ServerError)) throw error;
    const index = context.definition.class.toLowerCase();
    throw unprocessable(
      `nested request to fetch matching IDs: object search at index ${index}: local shard object search ${index}: ${error.message}`,
    );
  }
}
