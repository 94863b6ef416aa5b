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
 * - If it has no unnamed vector, the search uses the first named vector that it can use.
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
    return takesText(request) && made.length === 1 && made[0]!.name !== null ? [made[0]!.name] : undefined;
  }
  if (names.length < 2) return names;
  const usable = takesText(request) ? collection.vectors.find(isMadeFromText)?.name : undefined;
  return [usable ?? names[0]!];
}

/** The vector that was chosen among several for a search that names none. Empty if there was no choice. */
export function chosenTarget(request: Targeting, collection: Collection): string[] {
  const isNamed = request.targets !== undefined || request.targetVector !== undefined;
  return isNamed || collection.vectors.length < 2 ? [] : (targetNames(request, collection) ?? []);
}

function takesText({ mode, vector }: Targeting): boolean {
  return mode === 'near_text' || (mode === 'hybrid' && !vector);
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
