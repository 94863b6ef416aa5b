import type { ClassDefinition } from '../definition.ts';
import { maximumExceeded, unprocessable } from '../errors.ts';
import type { WhereInput } from '../filter/where.ts';
import type { Database } from '../store/database.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { autocut } from './autocut.ts';
import { filtered, prefixed } from './filtered.ts';
import { type GroupByInput, groupHits } from './group.ts';
import type { Hit } from './hit.ts';
import { isSearch, type SearchInput, searchHits } from './search.ts';
import { type SortInput, sortObjects } from './sort.ts';

export interface GetInput extends SearchInput {
  where?: WhereInput;
  sort?: SortInput[];
  limit?: number;
  offset?: number;
  after?: string;
  tenant?: string;
  autocut?: number;
  groupBy?: GroupByInput;
}

export interface Limits {
  /** Weaviate's QUERY_MAXIMUM_RESULTS: the largest offset plus limit, and the most objects of one batch delete. */
  maximumResults: number;
  /** Weaviate's GRPC_MAX_MESSAGE_SIZE: the most bytes of a request or an answer over Connect. */
  maximumMessageSize: number;
}

const defaultLimit = 100;

/** The result of `Get { Collection(…) }`. */
export function runGet(
  database: Database,
  definition: ClassDefinition,
  input: GetInput,
  { maximumResults }: Limits,
): Hit[] {
  if (input.after !== undefined) checkCursor(input);
  const searches = isSearch(input);
  const offset = input.offset ?? 0;
  const limit = input.limit === undefined || input.limit < 0 ? defaultLimit : input.limit;
  const matching = filtered(database, definition, {
    where: input.where,
    tenant: input.tenant,
    doing: 'explorer: list class: search',
    ...(!searches && { pageEnd: offset + limit }),
  });
  if (searches && (input.bm25 || input.hybrid) && input.sort?.length) {
    throw unprocessable(`${input.bm25 ? 'bm25' : 'hybrid'} search is not compatible with sort`);
  }
  if (offset + limit > maximumResults) {
    throw unprocessable(
      `explorer: list class: search: invalid pagination params: ${maximumExceeded(offset, limit, maximumResults)}`,
    );
  }
  if (searches) {
    const all = database.objects.inOrder(definition.class, input.tenant);
    const candidates = matching ?? all;
    const hits = searchHits(database, definition, input, { all, candidates, limit: offset + limit });
    const found = hits.slice(0, offset + limit);
    const values = found.map(({ score, distance }) => distance ?? -(score ?? 0));
    const kept = (input.autocut ?? 0) > 0 ? autocut(values, input.autocut!) : found.length;
    const page = found.slice(offset, kept);
    if (input.groupBy) return groupHits(page, input.groupBy, definition);
    return input.sort?.length ? resorted(page, input.sort, definition) : page;
  }
  if (offset + limit === 0) {
    throw unprocessable('explorer: list class: search: invalid pagination params: invalid default limit: 0');
  }
  const inOrder = matching ?? database.objects.byId(definition.class, input.tenant);
  const sorted = input.sort?.length ? sortedBy(inOrder, input.sort, definition) : inOrder;
  const after = input.after?.toLowerCase();
  const rest = after ? sorted.filter(({ id }) => id > after) : sorted;
  return rest.slice(offset, offset + limit).map((object) => ({ object }));
}

function sortedBy(objects: StoredObject[], sort: SortInput[], definition: ClassDefinition): StoredObject[] {
  return prefixed("invalid 'sort' parameter: ", () => sortObjects(objects, sort, definition));
}

function resorted(hits: Hit[], sort: SortInput[], definition: ClassDefinition): Hit[] {
  const byObject = new Map(hits.map((hit) => [hit.object, hit]));
  const objects = sortedBy(
    hits.map(({ object }) => object),
    sort,
    definition,
  );
  return objects.flatMap((object) => byObject.get(object) ?? []);
}

function checkCursor(input: GetInput): void {
  const refuse = (reason: string) => unprocessable(`cursor api: invalid 'after' parameter: ${reason}`);
  const excluded = (
    ['where', 'nearText', 'nearObject', 'nearVector', 'hybrid', 'bm25', 'sort'] as const
  ).filter((name) => input[name] !== undefined);
  if (excluded.length > 0)
    throw refuse(`${excluded.join(',')} cannot be set with after and limit parameters`);
  if (input.offset !== undefined && input.offset > 0) {
    throw refuse('offset cannot be set with after and limit parameters');
  }
  if (input.limit === undefined || input.limit < 0) throw refuse('limit parameter must be set');
}
