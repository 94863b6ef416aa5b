import type { Json, SearchRequest, ShownRequest, Sort } from '@trestle/driver-kit';
import { filterOf } from '../browse.ts';
import type { ServerPlace } from '../client.ts';
import { inStableOrder } from '../collection-reader.ts';
import { chooseColumns, findColumn, gridColumns } from '../columns.ts';
import { autocutOf, groupingOf, rerankOf, searchOf } from '../described-search.ts';
import type { FilterContext } from '../operators.ts';
import type { GroupsRequest, ObjectsRequest, SortKey } from '../requests/model/objects.ts';
import { readWhole, type Where } from '../requests/model/where.ts';
import type { Collection } from '../schema.ts';
import { targetNames } from '../search-targets.ts';
import { isScored } from '../searches.ts';

/** The parts of a request that is shown as code, for example in Python. */
export interface ShownQuery {
  place: ServerPlace;
  collection: string;
  tenant: string | undefined;
  where: Where | null;
  /** `_id` is the uuid. */
  sort: SortKey[];
  limit: number;
  offset: number;
  search: SearchRequest | null;
  /** The server's name for the property of a column. `_id` if the column is not a property. */
  propertyOf(column: string): string;
  /** What the driver sends for it. */
  request: { objects: ObjectsRequest } | { groups: GroupsRequest };
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
  const given = asked.map(({ column, order }): SortKey => ({ path: propertyOf(column), order }));
  const sort = search || isList ? given : inStableOrder(given);
  // A request with a sort goes through `readWhole`. A search does not.
  const where = filter && !search ? readWhole(filter) : filter;
  const tenant = collection.multiTenant ? request.partition : undefined;
  const offset = shown.kind === 'browse' ? shown.request.offset : 0;
  const parts = { place, collection: collection.name, tenant, where, sort, limit: request.limit, offset };
  const columns = chooseColumns(collection, request.columns);
  const properties = columns.flatMap(({ source }) => (source.kind === 'property' ? [source.property] : []));
  const { limit } = request;
  if (!search) {
    return {
      ...parts,
      search,
      propertyOf,
      request: { objects: { properties, where: filter, sort, limit, offset } },
    };
  }
  const common = {
    where: filter,
    limit,
    search: searchOf(search, context),
    autocut: autocutOf(search, context),
  };
  const groupBy = groupingOf(search, context);
  if (groupBy) return { ...parts, search, propertyOf, request: { groups: { ...common, groupBy } } };
  const facts: ObjectsRequest['facts'] = isScored(search) ? ['score', 'explainScore'] : ['distance'];
  const objects = { ...common, properties, facts, rerank: rerankOf(search, context) };
  return { ...parts, search, propertyOf, request: { objects } };
}

/** Names the vector that the driver chooses if the request names none. */
function withTarget(request: SearchRequest, collection: Collection): SearchRequest {
  if (request.targets) return request;
  const [name] = targetNames(request, collection) ?? [];
  return name === undefined ? request : { ...request, targetVector: name };
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
