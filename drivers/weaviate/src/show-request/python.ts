import { defaultAlpha, type SearchRequest } from '@trestle/driver-kit';
import { isScored } from '../searches.ts';
import { pythonConnection } from './connection-code.ts';
import { type FilterWords, filterCode, type ScalarValue, scalarCode } from './filter-code.ts';
import { jsonCode, measureOf, type ShownQuery } from './shown-query.ts';

/** For `weaviate-client` 4. */
export function pythonCode(query: ShownQuery): string {
  const used = new Set<string>();
  const use = (name: string) => {
    used.add(name);
    return name;
  };
  let hasDates = false;
  const useDates = () => {
    hasDates = true;
  };
  const given = [
    ...(query.search ? searchLines(query, query.search, use) : []),
    query.where && `filters=${filterCode(query.where, filterWords(use, useDates))}`,
    query.sort.length > 0 && `sort=${sortCode(query, use)}`,
    `limit=${query.limit}`,
    query.offset > 0 && `offset=${query.offset}`,
    query.search && `return_metadata=${use('MetadataQuery')}(${metadata(query.search)})`,
  ].filter((line) => typeof line === 'string');
  const method = query.search ? methods[query.search.mode] : 'fetch_objects';
  const tenant = query.tenant === undefined ? '' : `.with_tenant(${jsonCode(query.tenant)})`;
  const { place } = query;
  const measure = query.search && measureOf(query.search);
  const keys = place.hasKey || place.headers.length > 0;
  return [
    ...(hasDates ? ['from datetime import datetime'] : []),
    ...(keys ? ['import os'] : []),
    'import weaviate',
    ...(place.hasKey ? ['from weaviate.classes.init import Auth'] : []),
    ...(used.size > 0 ? [`from weaviate.classes.query import ${[...used].sort().join(', ')}`] : []),
    '',
    ...pythonConnection(place),
    `    collection = client.collections.use(${jsonCode(query.collection)})${tenant}`,
    `    found = collection.query.${method}(`,
    ...given.map((line) => `        ${line},`),
    '    )',
    '    for item in found.objects:',
    `        print(item.uuid, item.properties${measure ? `, item.metadata.${measure}` : ''})`,
    '',
  ].join('\n');
}

const methods: Record<SearchRequest['mode'], string> = {
  near_text: 'near_text',
  near_vector: 'near_vector',
  near_object: 'near_object',
  keyword: 'bm25',
  hybrid: 'hybrid',
};

function searchLines(query: ShownQuery, search: SearchRequest, use: (name: string) => string) {
  const { mode, keywordColumns, groupBy, rerank } = search;
  const properties = keywordColumns?.map(({ column, weight }) =>
    weight === 1 ? query.propertyOf(column) : `${query.propertyOf(column)}^${weight}`,
  );
  const operator = search.allWords && `${use('BM25Operator')}.and_()`;
  return [
    ...subject(search),
    mode === 'hybrid' && `alpha=${search.alpha ?? defaultAlpha}`,
    search.fusion && `fusion_type=${use('HybridFusion')}.${fusions[search.fusion] ?? search.fusion}`,
    properties && `query_properties=${jsonCode(properties)}`,
    operator && (mode === 'hybrid' ? `bm25_operator=${operator}` : `operator=${operator}`),
    search.maxDistance !== undefined &&
      `${mode === 'hybrid' ? 'max_vector_distance' : 'distance'}=${search.maxDistance}`,
    search.autocut !== undefined && `auto_limit=${search.autocut}`,
    mode !== 'keyword' && targetLine(search, use),
    groupBy &&
      `group_by=${use('GroupBy')}(prop=${jsonCode(query.propertyOf(groupBy.column))}, number_of_groups=${groupBy.groups}, objects_per_group=${groupBy.rowsPerGroup})`,
    rerank &&
      `rerank=${use('Rerank')}(prop=${jsonCode(query.propertyOf(rerank.column))}, query=${jsonCode(rerank.text ?? search.text ?? '')})`,
  ];
}

function subject({ mode, text = '', vector = [], objectId = '' }: SearchRequest): string[] {
  switch (mode) {
    case 'near_vector':
      return [`near_vector=${jsonCode(vector)}`];
    case 'near_object':
      return [`near_object=${jsonCode(objectId)}`];
    case 'hybrid':
      return [`query=${jsonCode(text)}`, ...(vector.length > 0 ? [`vector=${jsonCode(vector)}`] : [])];
    default:
      return [`query=${jsonCode(text)}`];
  }
}

const fusions: Record<string, string> = { relativeScoreFusion: 'RELATIVE_SCORE', rankedFusion: 'RANKED' };

function targetLine({ targetVector, targets }: SearchRequest, use: (name: string) => string): string | false {
  if (targetVector !== undefined && !targets) return `target_vector=${jsonCode(targetVector)}`;
  if (!targets) return false;
  const names = targets.vectors.map(({ name }) => name);
  const weights = Object.fromEntries(targets.vectors.map(({ name, weight }) => [name, weight ?? 1]));
  const isWeighted = targets.join === 'manualWeights' || targets.join === 'relativeScore';
  const method = { manualWeights: 'manual_weights', relativeScore: 'relative_score' }[targets.join];
  const call = `${method ?? targets.join}(${jsonCode(isWeighted ? weights : names)})`;
  return `target_vector=${use('TargetVectors')}.${call}`;
}

function sortCode({ sort }: ShownQuery, use: (name: string) => string): string {
  const steps = sort.map(({ path, order }) => {
    const ascending = `ascending=${bool(order === 'asc')}`;
    return path === '_id' ? `by_id(${ascending})` : `by_property(${jsonCode(path)}, ${ascending})`;
  });
  return `${use('Sort')}.${steps.join('.')}`;
}

function filterWords(use: (name: string) => string, useDates: () => void): FilterWords {
  const filter = () => use('Filter');
  return {
    target: (of) =>
      'id' in of
        ? `${filter()}.by_id()`
        : `${filter()}.by_property(${jsonCode(of.property)}${of.isLength ? ', length=True' : ''})`,
    operators: {
      Equal: 'equal',
      NotEqual: 'not_equal',
      GreaterThan: 'greater_than',
      GreaterThanEqual: 'greater_or_equal',
      LessThan: 'less_than',
      LessThanEqual: 'less_or_equal',
      Like: 'like',
      ContainsAny: 'contains_any',
      ContainsAll: 'contains_all',
      ContainsNone: 'contains_none',
      IsNull: 'is_none',
    },
    value: (value, isDate) => {
      if (isDate) useDates();
      const one = (item: ScalarValue) =>
        // Python before 3.11 does not read a date with a Z.
        isDate
          ? `datetime.fromisoformat(${jsonCode(String(item).replace(/Z$/, '+00:00'))})`
          : scalarCode(item, bool);
      return Array.isArray(value) ? `[${value.map(one).join(', ')}]` : one(value);
    },
    all: (parts) => `${filter()}.all_of([${parts.join(', ')}])`,
    any: (parts) => `${filter()}.any_of([${parts.join(', ')}])`,
    not: (part) => `${filter()}.not_(${part})`,
  };
}

function metadata(search: SearchRequest): string {
  return isScored(search) ? 'score=True, explain_score=True' : 'distance=True';
}

function bool(value: boolean): string {
  return value ? 'True' : 'False';
}
