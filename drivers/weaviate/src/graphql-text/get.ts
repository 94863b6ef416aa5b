import { float32ToNumber, type Json } from '@trestle/driver-kit';
import {
  ConsistencyLevel,
  create,
  type GroupByResult,
  type MessageInitShape,
  Filters_Operator as Operator,
  type SearchReply,
  type SearchRequest,
  SearchRequestSchema,
  type SearchResult,
} from '@trestle/weaviate-connect';
import { wrongAnswer } from '../answer-shape.ts';
import type { Collection } from '../schema.ts';
import { generativeOf, onlyMember, rerankOf } from './additional.ts';
import { filtersOf } from './filters.ts';
import { type MetadataInit, metadataOf } from './metadata.ts';
import { argumentsOf, assertNoArguments, type Selected } from './read-fields.ts';
import { mistake, noCounterpart } from './refusal.ts';
import { hybridOf, keywordOf, media, mediaOf, nearObjectOf, nearTextOf, nearVectorOf } from './searches.ts';
import { isAdditional, readSelection, type Selection } from './selection.ts';
import { shapeGroup, shapeObject } from './shape.ts';
import { Given, type Value } from './values.ts';

type SearchInit = Exclude<MessageInitShape<typeof SearchRequestSchema>, SearchRequest>;

export interface GetPlan {
  method: 'Search';
  request: SearchRequest;
  /** For references to several collections: one request for each further collection, for the rows of the first. */
  further(ids: string[]): SearchRequest[];
  data(reply: SearchReply, further: SearchReply[]): Json;
}

/** One field below `Get`. */
export function planGet(field: Selected, collection: Collection, all: Collection[]): GetPlan {
  const given = argumentsOf(field);
  const search = searchOf(given, collection);
  const base = { collection: collection.name, ...placeOf(given) };
  const grouping = groupingOf(given);
  const init: SearchInit = {
    ...base,
    ...search?.init,
    ...pageOf(given, search?.hasDistance ?? false),
    sortBy: sortOf(given),
    ...(given.has('where') && { filters: filtersOf(given.value('where')!, collection, all) }),
    ...(grouping && { groupBy: grouping }),
    uses127Api: true,
  };
  if (given.has('group') || given.has('ask')) throw noCounterpart(given.has('group') ? 'group' : 'ask');
  given.end();
  if (init.sortBy!.length > 0 && search) throw noCounterpart('sort together with a search');
  if (grouping && !search) throw mistake('"groupBy" needs a search');
  if (field.fields.length === 0) throw mistake(`Select properties of ${collection.name}`);
  const additional = field.fields.filter(isAdditional);
  if (grouping) return planGroups({ field, collection, all, additional, init, path: grouping.path });
  if (onlyMember(additional, 'group')) throw mistake('"group" of _additional needs groupBy');
  const selection = readSelection(field.fields, collection, all);
  const rerank = onlyMember(additional, 'rerank');
  const generate = onlyMember(additional, 'generate');
  const metadata: MetadataInit = metadataOf(additional, ['rerank', 'generate']);
  if (selection.rounds > 1) metadata.uuid = true;
  const request = create(SearchRequestSchema, {
    ...init,
    metadata,
    properties: selection.properties(0),
    ...(rerank && { rerank: rerankOf(rerank) }),
    ...(generate && { generative: generativeOf(generate, collection) }),
  });
  return {
    method: 'Search',
    request,
    further: (ids) => furtherRounds(base, selection, ids),
    data: (reply, further) => rowsOf(field, collection, reply, further),
  };
}

function furtherRounds(base: SearchInit, selection: Selection, ids: string[]): SearchRequest[] {
  return Array.from({ length: selection.rounds - 1 }, (_, at) =>
    create(SearchRequestSchema, {
      ...base,
      filters: {
        operator: Operator.CONTAINS_ANY,
        target: { target: { case: 'property', value: '_id' } },
        testValue: { case: 'valueTextArray', value: { values: ids } },
      },
      limit: ids.length,
      metadata: { uuid: true },
      properties: selection.properties(at + 1),
      uses127Api: true,
    }),
  );
}

function rowsOf(field: Selected, collection: Collection, reply: SearchReply, further: SearchReply[]): Json {
  const rounds = further.map(({ results }) => new Map(results.map((one) => [one.metadata?.id, one])));
  return reply.results.map((result, at) =>
    shapeObject(
      field.fields,
      collection,
      {
        properties: result.properties,
        metadata: result.metadata ?? missingMetadata(),
        further: rounds.map((round) => round.get(result.metadata?.id)?.properties),
      },
      (member) => resultMember(member, result, at === 0 ? reply : undefined),
    ),
  );
}

function missingMetadata(): never {
  throw wrongAnswer('Search');
}

/** GraphQL puts the result of a grouped prompt into the first row. */
function resultMember(
  { name, fields }: Selected,
  result: SearchResult,
  first: SearchReply | undefined,
): Json {
  const { metadata } = result;
  if (name === 'rerank') {
    if (!metadata?.rerankScorePresent) return null;
    return [Object.fromEntries(fields.map((one) => [one.key, metadata.rerankScore]))];
  }
  if (name !== 'generate' || (!first && !result.generative)) return null;
  return Object.fromEntries(
    fields.map((one): [string, Json] => {
      if (one.name === 'singleResult') return [one.key, result.generative?.values[0]?.result ?? null];
      if (one.name === 'groupedResult')
        return [one.key, first?.generativeGroupedResults?.values[0]?.result ?? null];
      return [one.key, null];
    }),
  );
}

interface Grouping {
  path: string[];
  numberOfGroups: number;
  objectsPerGroup: number;
}

function groupingOf(given: Given): Grouping | undefined {
  const groups = given.inner('groupBy');
  if (!groups) return undefined;
  const path = groups.texts('path') ?? [];
  const numberOfGroups = groups.whole('groups') ?? 0;
  const objectsPerGroup = groups.whole('objectsPerGroup') ?? 0;
  groups.end();
  if (path.length !== 1) throw noCounterpart('groupBy by another path than one property');
  if (numberOfGroups === 0 || objectsPerGroup === 0)
    throw mistake('"groupBy" needs groups and objectsPerGroup, each 1 or more');
  return { path, numberOfGroups, objectsPerGroup };
}

interface GroupsQuery {
  field: Selected;
  collection: Collection;
  all: Collection[];
  additional: Selected[];
  init: SearchInit;
  path: string[];
}

const groupMembers = ['id', 'groupedBy', 'count', 'maxDistance', 'minDistance', 'hits'];

function planGroups({ field, collection, all, additional, init, path }: GroupsQuery): GetPlan {
  // Checks what the query selects beside the group. GraphQL sends null for it.
  readSelection(field.fields, collection, all);
  metadataOf(additional, ['group']);
  const group = onlyMember(additional, 'group');
  const hits = group?.fields.filter(({ name }) => name === 'hits') ?? [];
  if (hits.length > 1) throw noCounterpart('hits selected twice');
  for (const member of group ? [group, ...group.fields] : []) assertNoArguments(member);
  const other = group?.fields.find(({ name }) => !groupMembers.includes(name));
  if (other) throw noCounterpart(`group { ${other.name} }`);
  // The fragments of a group name types of the group, not of the collection.
  const inHits = (hits[0]?.fields ?? []).map((one) => ({ ...one, type: undefined }));
  const selection = readSelection(inHits, collection, all);
  if (selection.rounds > 1) throw noCounterpart('A reference to several collections inside a group');
  const request = create(SearchRequestSchema, {
    ...init,
    metadata: metadataOf(inHits.filter(isAdditional)),
    properties: selection.properties(0),
  });
  return {
    method: 'Search',
    request,
    further: () => [],
    data: (reply) =>
      reply.groupByResults.map((found, at) =>
        shapeGroup(field.fields, collection, (member) =>
          Object.fromEntries(
            member.fields.map((one) => [
              one.key,
              one.name === 'hits'
                ? found.objects.map((hit) => hitOf(inHits, collection, hit))
                : groupMember(one, found, at, path),
            ]),
          ),
        ),
      ),
  };
}

function hitOf(fields: Selected[], collection: Collection, { properties, metadata }: SearchResult): Json {
  const found = { properties, metadata: metadata ?? missingMetadata(), further: [] };
  return shapeObject(fields, collection, found);
}

function groupMember({ name, fields }: Selected, found: GroupByResult, at: number, path: string[]): Json {
  switch (name) {
    case 'id':
      return at;
    case 'count':
      return Number(found.numberOfObjects);
    case 'maxDistance':
      return float32ToNumber(found.maxDistance);
    case 'minDistance':
      return float32ToNumber(found.minDistance);
  }
  return Object.fromEntries(fields.map((one) => [one.key, one.name === 'path' ? path : found.name]));
}

/** The one search of the query, and whether it ends at a distance. */
function searchOf(
  given: Given,
  collection: Collection,
): { init: SearchInit; hasDistance: boolean } | undefined {
  const found: { init: SearchInit; hasDistance: boolean }[] = [];
  const add = (name: string, read: (value: Value) => SearchInit) => {
    const value = given.value(name);
    if (value === undefined) return;
    const near = new Given(name, value);
    found.push({ init: read(value), hasDistance: near.has('distance') || near.has('certainty') });
  };
  add('nearVector', (value) => ({ nearVector: nearVectorOf(value, collection) }));
  add('nearObject', (value) => ({ nearObject: nearObjectOf(value, collection) }));
  add('nearText', (value) => ({ nearText: nearTextOf(value, collection) }));
  add('bm25', (value) => ({ bm25Search: keywordOf(value) }));
  add('hybrid', (value) => ({ hybridSearch: hybridOf(value, collection) }));
  for (const name of media) {
    const key = name === 'imu' ? 'IMU' : `${name[0]!.toUpperCase()}${name.slice(1)}`;
    add(`near${key}`, (value) => ({ [name === 'imu' ? 'nearImu' : `near${key}`]: mediaOf(name, value) }));
  }
  if (found.length > 1) throw mistake('A query takes one search');
  return found[0];
}

const levels: { [word: string]: ConsistencyLevel } = {
  ONE: ConsistencyLevel.ONE,
  QUORUM: ConsistencyLevel.QUORUM,
  ALL: ConsistencyLevel.ALL,
};

function placeOf(given: Given): SearchInit {
  const tenant = given.text('tenant');
  const word = given.word('consistencyLevel');
  const level = word !== undefined && Object.hasOwn(levels, word) ? levels[word] : undefined;
  if (word !== undefined && level === undefined) throw mistake(`The consistencyLevel ${word} is not known`);
  return { ...(tenant !== undefined && { tenant }), ...(level !== undefined && { consistencyLevel: level }) };
}

/** GraphQL reads 100 rows without a limit, and a search up to a distance reads all of them. Connect reads 10. */
function pageOf(given: Given, hasDistance: boolean): SearchInit {
  const limit = given.whole('limit');
  if (limit === 0) throw mistake('"limit" must be 1 or more');
  const offset = given.whole('offset');
  const after = given.text('after');
  const autocut = given.whole('autocut');
  const unlimited = hasDistance ? 10_000 - (offset ?? 0) : 100;
  // With another part of a page alone, GraphQL uses the default of the server, as Connect does for 0.
  const isPage = offset !== undefined || after !== undefined || autocut !== undefined;
  return {
    limit: limit ?? (isPage && !hasDistance ? 0 : unlimited),
    ...(offset !== undefined && { offset }),
    // Connect takes an empty cursor for none.
    ...(after !== undefined && { after: after === '' ? firstCursor : after }),
    ...(autocut !== undefined && { autocut }),
  };
}

const firstCursor = '00000000-0000-0000-0000-000000000000';

function sortOf(given: Given): { path: string[]; ascending: boolean }[] {
  return (given.list('sort') ?? []).map((one) => {
    const key = new Given('sort', one);
    const path = key.texts('path') ?? [];
    // Without a value, GraphQL sorts in ascending order, and Connect in descending order.
    const order = key.word('order') ?? 'asc';
    key.end();
    if (path.length === 0) throw mistake('"sort" needs a path');
    if (order !== 'asc' && order !== 'desc') throw mistake('"order" of "sort" is asc or desc');
    return { path: path.map((part) => (part === 'id' ? '_id' : part)), ascending: order === 'asc' };
  });
}
