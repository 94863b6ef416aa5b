import { DriverError, type SearchRequest } from '@trestle/driver-kit';
import type { FilterContext } from './operators.ts';
import type { Join, Targets } from './requests/model/search.ts';
import type { Collection } from './schema.ts';
import { searchOptionsOf } from './search-options.ts';
import { isMadeFromText } from './searches.ts';

type Targeting = Pick<SearchRequest, 'mode' | 'targetVector' | 'targets' | 'vector'>;

/**
 * The named vectors that a search uses. Undefined for a keyword search, and for the unnamed vector. A request without a
 * target:
 * - If the collection has an unnamed vector, the search uses it. Exception: in a search by text alone, if exactly one
 *   vector is made from text, the search uses that vector.
 * - If it has no unnamed vector, the search uses the only named vector. With several named vectors, the request is
 *   refused.
 */
export function targetNames(request: Targeting, collection: Collection): string[] | undefined {
  if (request.mode === 'keyword') return undefined;
  const names = collection.vectors.flatMap(({ name }) => (name === null ? [] : [name]));
  const asked = request.targets
    ? request.targets.vectors.map(({ name }) => name)
    : request.targetVector === undefined
      ? undefined
      : [request.targetVector];
  if (asked) {
    const unknown = asked.find((name) => !names.includes(name));
    if (unknown === undefined && asked.length > 0) return asked;
    throw new DriverError({
      code: 'invalid_argument',
      message:
        unknown === undefined
          ? `The search of ${collection.name} lists no target vector`
          : `${collection.name} has no vector "${unknown}"`,
      hint:
        names.length > 0
          ? `Named vectors: ${names.join(', ')}.`
          : 'The collection has one vector without a name.',
    });
  }
  const unnamed = collection.vectors.find(({ name }) => name === null);
  if (unnamed) {
    const made = collection.vectors.filter(isMadeFromText);
    const takesText = request.mode === 'near_text' || (request.mode === 'hybrid' && !request.vector);
    return takesText && made.length === 1 && made[0]!.name !== null ? [made[0]!.name] : undefined;
  }
  if (names.length > 1) {
    throw new DriverError({
      code: 'invalid_argument',
      message: `${collection.name} has several vectors`,
      hint: `Name one as target vector: ${names.join(', ')}.`,
    });
  }
  return names;
}

/** The vectors of a search, and how their distances are joined. Undefined for the unnamed vector. */
export function targetsOf(request: Targeting, context: FilterContext): Targets | undefined {
  const names = targetNames(request, context.collection);
  if (!names || names.length === 0) return undefined;
  if (!request.targets) return { names };
  const join = searchOptionsOf(context).joins?.find(({ name }) => name === request.targets?.join);
  if (!join) {
    throw new DriverError({
      code: 'invalid_argument',
      message: `Target vectors cannot be joined by "${request.targets.join}" here`,
    });
  }
  const weights = request.targets.vectors.map(({ name, weight }) => ({ name, weight: weight ?? 1 }));
  return { names, join: { method: join.name as Join, ...(join.weighted && { weights }) } };
}
