import { defaultAlpha, type SearchRequest } from '@trestle/driver-kit';
import { isScored } from '../searches.ts';
import { typescriptConnection } from './connection-code.ts';
import { type FilterWords, filterCode, type ScalarValue, scalarCode } from './filter-code.ts';
import { jsonCode, measureOf, type ShownQuery } from './shown-query.ts';

/** For `weaviate-client` 3. */
export function typescriptCode(query: ShownQuery): string {
  const { search, place } = query;
  const measure = search && measureOf(search);
  const used = new Set<string>();
  const given = [
    ...(search ? searchLines(query, search, used) : []),
    query.where && `filters: ${filterCode(query.where, filterWords(used))}`,
    query.sort.length > 0 && `sort: ${sortCode(query)}`,
    `limit: ${query.limit}`,
    query.offset > 0 && `offset: ${query.offset}`,
    search && `returnMetadata: ${jsonCode(isScored(search) ? ['score', 'explainScore'] : ['distance'])}`,
  ].filter((line) => typeof line === 'string');
  const method = search ? methods[search.mode] : 'fetchObjects';
  const tenant = query.tenant === undefined ? '' : `.withTenant(${jsonCode(query.tenant)})`;
  // Without the property types the library's sort accepts no property name.
  const isSorted = query.sort.some(({ path }) => path !== '_id');
  const typed = isSorted ? `<${jsonCode(query.collection)}, Record<string, any>>` : '';
  const imports = used.size > 0 ? `, { ${[...used].sort().join(', ')} }` : '';
  return [
    `import weaviate${imports} from 'weaviate-client';`,
    '',
    ...typescriptConnection(place),
    `const collection = client.collections.use${typed}(${jsonCode(query.collection)})${tenant};`,
    `const { objects } = await collection.query.${method}(${search ? `${subject(search)}, ` : ''}{`,
    ...given.map((line) => `  ${line},`),
    '});',
    `for (const item of objects) console.log(item.uuid, item.properties${measure ? `, item.metadata?.${measure}` : ''});`,
    'await client.close();',
    '',
  ].join('\n');
}

const methods: Record<SearchRequest['mode'], string> = {
  near_text: 'nearText',
  near_vector: 'nearVector',
  near_object: 'nearObject',
  keyword: 'bm25',
  hybrid: 'hybrid',
};

function subject({ mode, text = '', vector = [], objectId = '' }: SearchRequest): string {
  if (mode === 'near_vector') return jsonCode(vector);
  return jsonCode(mode === 'near_object' ? objectId : text);
}

function searchLines(query: ShownQuery, search: SearchRequest, used: Set<string>) {
  const { mode, keywordColumns, groupBy, rerank, vector } = search;
  const properties = keywordColumns?.map(({ column, weight }) =>
    weight === 1 ? query.propertyOf(column) : `${query.propertyOf(column)}^${weight}`,
  );
  if (search.allWords) used.add('Bm25Operator');
  const operator = search.allWords && 'Bm25Operator.and()';
  return [
    mode === 'hybrid' && `alpha: ${search.alpha ?? defaultAlpha}`,
    mode === 'hybrid' && vector && vector.length > 0 && `vector: ${jsonCode(vector)}`,
    search.fusion && `fusionType: ${search.fusion === 'rankedFusion' ? "'Ranked'" : "'RelativeScore'"}`,
    properties && `queryProperties: ${jsonCode(properties)}`,
    operator && `${mode === 'hybrid' ? 'bm25Operator' : 'operator'}: ${operator}`,
    search.maxDistance !== undefined &&
      `${mode === 'hybrid' ? 'maxVectorDistance' : 'distance'}: ${search.maxDistance}`,
    search.autocut !== undefined && `autoLimit: ${search.autocut}`,
    mode !== 'keyword' && targetLine(search),
    groupBy &&
      `groupBy: { property: ${jsonCode(query.propertyOf(groupBy.column))}, numberOfGroups: ${groupBy.groups}, objectsPerGroup: ${groupBy.rowsPerGroup} }`,
    rerank &&
      `rerank: { property: ${jsonCode(query.propertyOf(rerank.column))}, query: ${jsonCode(rerank.text ?? search.text ?? '')} }`,
  ];
}

function targetLine({ targetVector, targets }: SearchRequest): string | false {
  if (targetVector !== undefined && !targets) return `targetVector: ${jsonCode(targetVector)}`;
  if (!targets) return false;
  const names = targets.vectors.map(({ name }) => name);
  const weights = Object.fromEntries(targets.vectors.map(({ name, weight }) => [name, weight ?? 1]));
  const isWeighted = targets.join === 'manualWeights' || targets.join === 'relativeScore';
  return `targetVector: collection.multiTargetVector.${targets.join}(${jsonCode(isWeighted ? weights : names)})`;
}

function sortCode({ sort }: ShownQuery): string {
  const steps = sort.map(({ path, order }) =>
    path === '_id' ? `byId(${order === 'asc'})` : `byProperty(${jsonCode(path)}, ${order === 'asc'})`,
  );
  return `collection.sort.${steps.join('.')}`;
}

function filterWords(used: Set<string>): FilterWords {
  const join = (name: string, parts: string[]) => {
    used.add('Filters');
    return `Filters.${name}(${parts.join(', ')})`;
  };
  return {
    target: (of) =>
      'id' in of
        ? 'collection.filter.byId()'
        : `collection.filter.byProperty(${jsonCode(of.property)}${of.isLength ? ', true' : ''})`,
    operators: {
      Equal: 'equal',
      NotEqual: 'notEqual',
      GreaterThan: 'greaterThan',
      GreaterThanEqual: 'greaterOrEqual',
      LessThan: 'lessThan',
      LessThanEqual: 'lessOrEqual',
      Like: 'like',
      ContainsAny: 'containsAny',
      ContainsAll: 'containsAll',
      ContainsNone: 'containsNone',
      IsNull: 'isNull',
    },
    value: (value, isDate) => {
      const one = (item: ScalarValue) =>
        isDate ? `new Date(${jsonCode(String(item))})` : scalarCode(item, String);
      return Array.isArray(value) ? `[${value.map(one).join(', ')}]` : one(value);
    },
    all: (parts) => join('and', parts),
    any: (parts) => join('or', parts),
    not: (part) => join('not', [part]),
  };
}
