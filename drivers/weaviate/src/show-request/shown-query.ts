import type { Json, SearchRequest, ShownRequest, Sort } from '@trestle/driver-kit';
import { filterOf } from '../browse.ts';
import type { ServerPlace } from '../client.ts';
import { sortArgument } from '../collection-reader.ts';
import { chooseColumns, findColumn, gridColumns } from '../columns.ts';
import { type Literal, printArguments } from '../literal.ts';
import type { FilterContext } from '../operators.ts';
import type { Collection } from '../schema.ts';
import { searchArgument } from '../search-argument.ts';
import { rerankField } from '../search-rerank.ts';
import { targetNames } from '../search-targets.ts';
import { isScored } from '../searches.ts';
import { selectionOf } from '../selection.ts';
import { readWhole, type Where } from '../where.ts';

/** The parts of a request that is shown as code, for example in Python. */
export interface ShownQuery {
  place: ServerPlace;
  collection: string;
  tenant: string | undefined;
  where: Where | null;
  /** `_id` is the uuid. */
  sort: { path: string; order: 'asc' | 'desc' }[];
  limit: number;
  offset: number;
  search: SearchRequest | null;
  /** The server's name for the property of a column. `_id` if the column is not a property. */
  propertyOf(column: string): string;
  graphql: string;
}

export function shownQuery(shown: ShownRequest, context: FilterContext, place: ServerPlace): ShownQuery {
  const { collection } = context;
  const { request } = shown;
  const search = shown.kind === 'search' ? withTarget(shown.request, collection) : null;
  const propertyOf = (column: string) => {
    const { source } = findColumn(gridColumns(collection), column, collection);
    return source.kind === 'property' ? source.property.name : '_id';
  };
  const filter = filterOf(request, context);
  const asked: Sort[] = shown.kind === 'browse' ? shown.request.sort : [];
  const isList = shown.kind === 'browse' && filter === null && asked.length === 0;
  const sort = asked.map(({ column, order }) => ({ path: propertyOf(column), order }));
  if (!search && !isList && !sort.some(({ path }) => path === '_id'))
    sort.push({ path: '_id', order: 'asc' });
  // As in `browse`, the filter of a page goes through `readWhole`. The filter of a search does not.
  const where = filter && !search ? readWhole(filter) : filter;
  const tenant = collection.multiTenant ? request.partition : undefined;
  const offset = shown.kind === 'browse' ? shown.request.offset : 0;
  const parts = { place, collection: collection.name, tenant, where, sort, limit: request.limit, offset };
  const given: { [name: string]: Literal | undefined } = {
    ...(search && searchArgument(search, context)),
    where: where ?? undefined,
    sort: sort.length > 0 ? sortArgument(sort) : undefined,
    limit: request.limit,
    offset: offset || undefined,
    tenant,
  };
  const columns = chooseColumns(collection, request.columns).filter(({ source }) => source.kind !== 'vector');
  const additional = search ? measures(search, rerankField(search, context)) : [];
  const selection = search?.groupBy
    ? '_additional { group { groupedBy { value } hits { _additional { id distance } } } }'
    : selectionOf(columns, additional);
  const graphql = `{ Get { ${collection.name}(${printArguments(given)}) { ${selection} } } }`;
  return { ...parts, search, propertyOf, graphql };
}

/** Names the vector that the driver chooses if the request names none. */
function withTarget(request: SearchRequest, collection: Collection): SearchRequest {
  if (request.targets) return request;
  const [name] = targetNames(request, collection) ?? [];
  return name === undefined ? request : { ...request, targetVector: name };
}

function measures(search: SearchRequest, rerank: string | null): string[] {
  return [...(isScored(search) ? ['score', 'explainScore'] : ['distance']), ...(rerank ? [rerank] : [])];
}

/** The measure to print for each found object. Null for a scored search with groups: its objects have no score. */
export function measureOf(search: SearchRequest): 'score' | 'distance' | null {
  if (!isScored(search)) return 'distance';
  return search.groupBy ? null : 'score';
}

/**
 * A text, list or object as Python and TypeScript both write it. The value must not contain true, false or null: Python
 * does not know these words.
 */
export function jsonCode(value: Json): string {
  return JSON.stringify(value);
}

/** The environment variable for the value of a header: a name that shells and languages accept. */
export function variableOf(header: string): string {
  const name = header
    .replace(/^x-/i, '')
    .replaceAll(/[^0-9A-Za-z]/g, '_')
    .toUpperCase();
  return /^\d/.test(name) ? `_${name}` : name;
}
