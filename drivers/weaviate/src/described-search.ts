import { DriverError, defaultAlpha, maskedUse, type SearchRequest } from '@trestle/driver-kit';
import { findColumn, gridColumns } from './columns.ts';
import { GuardedColumns } from './guarded-columns.ts';
import { isMultiVector } from './multi-vector.ts';
import type { FilterContext } from './operators.ts';
import type { GroupsRequest, Rerank } from './requests/model/objects.ts';
import type { Fusion, Search } from './requests/model/search.ts';
import type { Collection, Property } from './schema.ts';
import { searchOptionsOf } from './search-options.ts';
import { targetNames, targetsOf } from './search-targets.ts';
import { isMadeFromText } from './searches.ts';

/** The search of a request, for the writers. Refuses a search that the collection or the server does not have. */
export function searchOf(request: SearchRequest, context: FilterContext): Search {
  assertComparable(request, context.collection);
  const distance = offered(request, context, 'maxDistance') ? request.maxDistance : undefined;
  const near = () => ({ distance, targets: targetsOf(request, context) });
  switch (request.mode) {
    case 'near_text':
      return { kind: 'nearText', text: needed(request.text, 'a text'), ...near() };
    case 'near_vector':
      return { kind: 'nearVector', vector: needed(request.vector, 'a vector'), ...near() };
    case 'near_object': {
      const id = needed(request.objectId, 'the uuid of an object').toLowerCase();
      return { kind: 'nearObject', id, ...near() };
    }
    case 'keyword':
      return { kind: 'keyword', query: needed(request.text, 'a text'), ...wordsOf(request, context) };
    case 'hybrid':
      return hybridOf(request, context);
  }
}

/** Refuses a text or a vector that cannot be compared with a target. The server would answer in words of its own code. */
function assertComparable(request: SearchRequest, collection: Collection): void {
  const { mode, vector, alpha = defaultAlpha } = request;
  if (mode !== 'near_text' && mode !== 'near_vector' && (mode !== 'hybrid' || alpha === 0)) return;
  const names = targetNames(request, collection) ?? [''];
  const spaces = collection.vectors.filter(({ name }) => names.includes(name ?? ''));
  const listed = names.find((name) => isMultiVector(collection, name));
  if (mode !== 'near_text' && vector && listed !== undefined) {
    throw new DriverError({
      code: 'unsupported',
      message: `Each object has a list of vectors in ${listed}, which cannot be compared with one vector`,
      hint: 'Search for rows similar to a row, or write a query with a list of vectors.',
    });
  }
  const isMade = spaces.length > 0 && spaces.every(isMadeFromText);
  if (mode === 'near_vector' || (mode === 'hybrid' && vector) || isMade) return;
  if (mode === 'near_text') {
    const name = spaces.find((space) => !isMadeFromText(space))?.name ?? 'without a name';
    throw new DriverError({
      code: 'unsupported',
      message: `No module turns text into the vector ${name}`,
      hint: 'Choose another vector, or another kind of search.',
    });
  }
  throw new DriverError({
    code: 'unsupported',
    message: 'Hybrid search needs a vector here: no module turns text into one',
    hint: 'Give a vector as well as the text, or use keyword search.',
  });
}

export function autocutOf(request: SearchRequest, context: FilterContext): number | undefined {
  return offered(request, context, 'autocut') ? request.autocut : undefined;
}

function hybridOf(request: SearchRequest, context: FilterContext): Search {
  return {
    kind: 'hybrid',
    query: needed(request.text, 'a text'),
    alpha: request.alpha ?? defaultAlpha,
    vector: request.vector,
    fusion: fusionOf(request, context),
    maxDistance: request.maxDistance,
    ...wordsOf(request, context),
    targets: targetsOf(request, context),
  };
}

function fusionOf({ fusion }: SearchRequest, context: FilterContext): Fusion | undefined {
  if (fusion === undefined) return undefined;
  const known = searchOptionsOf(context).fusions?.find(({ name }) => name === fusion);
  if (known) return known.name as Fusion;
  throw new DriverError({ code: 'invalid_argument', message: `There is no fusion "${fusion}"` });
}

function wordsOf(request: SearchRequest, context: FilterContext) {
  const { allWords = false } = request;
  if (allWords && !context.hasSearchOperator) {
    throw new DriverError({
      code: 'unsupported',
      message: 'A search for every word needs Weaviate 1.31 or newer',
    });
  }
  return { properties: keywordProperties(request, context), allWords };
}

/**
 * The properties for the keyword search. Without such a list, the server searches every searchable text property, also
 * guarded ones. So the result is undefined only if the collection has no guarded column.
 */
function keywordProperties(
  { guarded = [], keywordColumns }: SearchRequest,
  { collection }: FilterContext,
): string[] | undefined {
  const columns = new GuardedColumns(guarded, [collection]);
  if (keywordColumns && keywordColumns.length > 0) {
    return keywordColumns.map(({ column, weight }) => weightedProperty(column, weight, collection));
  }
  if (!columns.has(collection)) return undefined;
  const names = columns.searchable(collection);
  if (names.length === 0) throw maskedUse(`all searchable text of ${collection.name} is masked`);
  return names;
}

/** The properties that the keyword search reads. */
export function searchedProperties(request: SearchRequest, context: FilterContext): Property[] {
  const { properties } = context.collection;
  const names = keywordProperties(request, context)?.map((name) => name.replace(/\^\d+$/, ''));
  return properties.filter(({ name, searchable }) => searchable && (names?.includes(name) ?? true));
}

function weightedProperty(column: string, weight: number, collection: Collection): string {
  const { source } = findColumn(gridColumns(collection), column, collection);
  const refuse = (message: string) => new DriverError({ code: 'invalid_argument', message });
  if (source.kind !== 'property' || !source.property.searchable) {
    throw refuse(`${column} cannot be searched by words: it is not searchable text (indexSearchable)`);
  }
  // Weaviate 1.27 reads `^2.5` as a weight of 0, without an error.
  if (!Number.isInteger(weight) || weight < 1) {
    throw refuse(`The weight of ${column} must be a whole number of 1 or more`);
  }
  return weight === 1 ? source.property.name : `${source.property.name}^${weight}`;
}

export function groupingOf(
  { groupBy }: SearchRequest,
  { collection }: FilterContext,
): GroupsRequest['groupBy'] | undefined {
  if (!groupBy) return undefined;
  const { source } = findColumn(gridColumns(collection), groupBy.column, collection);
  if (source.kind !== 'property') {
    throw new DriverError({ code: 'invalid_argument', message: `${groupBy.column} cannot group rows` });
  }
  const { groups, rowsPerGroup } = groupBy;
  return { property: source.property.name, groups, objectsPerGroup: rowsPerGroup };
}

/** How a reranker orders the results; undefined if no reranker is requested. */
export function rerankOf(
  { rerank, groupBy, text }: SearchRequest,
  context: FilterContext,
): Rerank | undefined {
  if (!rerank) return undefined;
  const { refusal } = searchOptionsOf(context).rerank ?? {};
  if (refusal) throw new DriverError({ code: 'unsupported', message: refusal });
  if (groupBy) {
    throw new DriverError({
      code: 'invalid_argument',
      message: 'A search with groups cannot be reranked',
      hint: 'Leave out the groups or the reranker.',
    });
  }
  const { source } = findColumn(gridColumns(context.collection), rerank.column, context.collection);
  if (source.kind !== 'property') {
    throw new DriverError({ code: 'invalid_argument', message: `${rerank.column} cannot rerank rows` });
  }
  return { property: source.property.name, query: rerank.text ?? text ?? '' };
}

function offered(request: SearchRequest, context: FilterContext, option: 'autocut' | 'maxDistance'): boolean {
  if (request[option] === undefined) return false;
  if (searchOptionsOf(context)[option]?.includes(request.mode)) return true;
  throw new DriverError({
    code: 'invalid_argument',
    message: `A ${request.mode.replace('_', ' ')} search takes no ${option === 'autocut' ? 'autocut' : 'distance'}`,
  });
}

function needed<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    throw new DriverError({ code: 'invalid_argument', message: `This search needs ${what}` });
  }
  return value;
}
