import type { Json } from '@trestle/driver-kit';
import type {
  AggregateRequest,
  Filters,
  ObjectPropertiesRequest,
  PropertiesRequest,
  SearchRequest,
} from '@trestle/weaviate-connect';
import {
  Filters_Operator as Operator,
  SearchOperatorOptions_Operator as WordOperator,
} from '@trestle/weaviate-connect';
import type { ServerPlace } from '../../client.ts';
import { pythonConnection } from '../../show-request/connection-code.ts';
import {
  type Argument,
  aggregateCall,
  type ConvertedField,
  generativeNotes,
  type Language,
  levelName,
  type MethodCall,
  metricsOf,
  printedParts,
  searchCall,
} from './language.ts';
import {
  factNames,
  idOperators,
  joinWords,
  operatorWords,
  pathOf,
  shortFloat,
  snake,
  valueOfFilter,
  weightsOf,
} from './messages.ts';

/** For `weaviate-client` 4. */
export function pythonOf(fields: ConvertedField[], place: ServerPlace): string {
  const used = new Map<string, Set<string>>();
  const use = (name: string, from = 'query') => {
    used.set(from, (used.get(from) ?? new Set()).add(name));
    return name;
  };
  const blocks = fields.map((one) => fieldCode(one, pythonLanguage(use), use));
  if (place.hasKey) use('Auth', 'init');
  return [
    ...(place.hasKey || place.headers.length > 0 ? ['import os'] : []),
    'import weaviate',
    ...[...used]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([from, names]) => `from weaviate.classes.${from} import ${[...names].sort().join(', ')}`),
    '',
    ...pythonConnection(place),
    blocks.map((lines) => lines.map((line) => `    ${line}`).join('\n')).join('\n\n'),
    '',
  ].join('\n');
}

type Use = (name: string, from?: string) => string;

function fieldCode(field: ConvertedField, language: Language, use: Use): string[] {
  const { collection, tenant } = field.request;
  const level = field.method === 'Search' ? levelName(field.request.consistencyLevel) : null;
  const opened = [
    `collection = client.collections.use(${text(collection)})`,
    tenant && `.with_tenant(${text(tenant)})`,
    level && `.with_consistency_level(${use('ConsistencyLevel', 'config')}.${level})`,
  ];
  const lines = [opened.filter((part) => part).join('')];
  if (field.method === 'Aggregate') return [...lines, ...aggregateCode(field.request, language, use)];
  const { generative, groupBy } = field.request;
  const object = `collection.${generative ? 'generate' : 'query'}`;
  lines.push(
    ...generativeNotes(field.request, 'generative_provider=GenerativeConfig.…').map((note) => `# ${note}`),
    ...callCode('found', object, searchCall(field.request, language)),
  );
  if (groupBy) {
    return [
      ...lines,
      'for name, group in found.groups.items():',
      '    print(name, group.number_of_objects, group.objects)',
    ];
  }
  lines.push(...printCode('found', field.request, language));
  if (generative?.grouped) lines.push('print(found.generative.text)');
  for (const request of field.further) {
    const call = searchCall({ ...request, filters: undefined }, language);
    const rows = `${use('Filter')}.by_id().contains_any([item.uuid for item in found.objects])`;
    lines.push(
      '# The objects of another collection that the same rows point to.',
      ...callCode('further', 'collection.query', { ...call, given: [[['filters'], rows], ...call.given] }),
      ...printCode('further', request, language),
    );
  }
  return lines;
}

function printCode(found: string, request: SearchRequest, language: Language): string[] {
  const { references, vectors, metadata, prompt } = printedParts(request, language);
  const parts = [
    'item.uuid',
    'item.properties',
    references && 'item.references',
    vectors && 'item.vector',
    metadata && 'item.metadata',
    prompt && 'item.generative.text',
  ];
  return [`for item in ${found}.objects:`, `    print(${parts.filter((part) => part).join(', ')})`];
}

function aggregateCode(request: AggregateRequest, language: Language, use: Use): string[] {
  const { groupBy, limit, objectsCount } = request;
  const call = aggregateCall(request, language);
  const { metrics, notes } = metricsOf(request, language);
  const group: Argument[] = groupBy
    ? [
        [
          ['group', 'by'],
          `${use('GroupByAggregate', 'aggregate')}(prop=${text(groupBy.property)}${limit === undefined ? '' : `, limit=${limit}`})`,
        ],
      ]
    : [];
  const count: Argument = [['total', 'count'], literal(objectsCount)];
  const given = [...call.given, ...group, count, ...metrics];
  const lines = [
    ...notes.map((note) => `# ${note}`),
    ...callCode('found', 'collection.aggregate', { ...call, given }),
  ];
  if (!groupBy) return [...lines, 'print(found.total_count, found.properties)'];
  return [
    ...lines,
    'for group in found.groups:',
    '    print(group.grouped_by.value, group.total_count, group.properties)',
  ];
}

function callCode(found: string, object: string, { method, subject, given }: MethodCall): string[] {
  const name = snake(method);
  const subjects: { [method: string]: string } = {
    bm25: 'query',
    hybrid: 'query',
    near_text: 'query',
    near_media: 'media',
  };
  const first = subject === null ? [] : [`${subjects[name] ?? name}=${subject}`];
  const all = [...first, ...given.map(([words, code]) => `${snake(words)}=${code}`)];
  return [`${found} = ${object}.${name}(`, ...all.map((line) => `    ${line},`), ')'];
}

function text(value: string): string {
  return JSON.stringify(value);
}

function literal(value: Json): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object')
    return `{${Object.entries(value)
      .map(([key, one]) => `${text(key)}: ${literal(one)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}

function named(given: Argument[]): string {
  return given.map(([words, code]) => `${snake(words)}=${code}`).join(', ');
}

function pythonLanguage(use: Use): Language {
  const filter = (given: Filters): string => {
    const inner = given.filters.map(filter);
    const all = use('Filter');
    if (given.operator === Operator.AND) return `${all}.all_of([${inner.join(', ')}])`;
    if (given.operator === Operator.OR) return `${all}.any_of([${inner.join(', ')}])`;
    if (given.operator === Operator.NOT) return `${all}.not_(${inner[0]})`;
    const { steps, end } = pathOf(given.target!);
    const way = steps.map(({ on, collection }) =>
      collection === undefined
        ? `.by_ref(link_on=${text(on)})`
        : `.by_ref_multi_target(${text(on)}, target_collection=${text(collection)})`,
    );
    const place = `${all}${way.join('')}.${placeOf(end, given.operator)}`;
    if (given.operator === Operator.IS_NULL) return `${place}.is_none(${literal(valueOfFilter(given))})`;
    const method = snake(operatorWords[given.operator] ?? []);
    if (given.testValue.case !== 'valueGeo') return `${place}.${method}(${literal(valueOfFilter(given))})`;
    const { latitude, longitude, distance } = given.testValue.value;
    const spot = `${use('GeoCoordinate', 'data')}(latitude=${shortFloat(latitude)}, longitude=${shortFloat(longitude)})`;
    return `${place}.${method}(coordinate=${spot}, distance=${shortFloat(distance)})`;
  };
  return {
    value: literal,
    filter,
    sort: ({ sortBy }) =>
      `${use('Sort')}${sortBy
        .map(({ path, ascending }) => {
          const order = `ascending=${literal(ascending)}`;
          return path[0] === '_id' ? `.by_id(${order})` : `.by_property(${text(path[0] ?? '')}, ${order})`;
        })
        .join('')}`,
    target: (targets) => {
      const join = joinWords[targets.combination];
      if (!join)
        return targets.targetVectors.length === 1
          ? text(targets.targetVectors[0]!)
          : literal(targets.targetVectors);
      const weights = targets.weightsForTargets.length > 0 ? weightsOf(targets) : targets.targetVectors;
      return `${use('TargetVectors')}.${snake(join)}(${literal(weights)})`;
    },
    move: ({ force, concepts, uuids }) =>
      `${use('Move')}(force=${shortFloat(force)}${concepts.length > 0 ? `, concepts=${literal(concepts)}` : ''}${uuids.length > 0 ? `, objects=${literal(uuids)}` : ''})`,
    words: ({ operator, minimumOrTokensMatch }) =>
      operator === WordOperator.AND
        ? `${use('BM25Operator')}.and_()`
        : `${use('BM25Operator')}.or_(minimum_match=${minimumOrTokensMatch ?? 1})`,
    fusion: (name) => `${use('HybridFusion')}.${name === 'ranked' ? 'RANKED' : 'RELATIVE_SCORE'}`,
    innerSearch: (method, subject, given) => {
      const first = method[1] === 'text' ? 'query' : 'vector';
      return `${use('HybridVector')}.${snake(method)}(${[`${first}=${subject}`, named(given)].filter((one) => one !== '').join(', ')})`;
    },
    group: (given) => `${use('GroupBy')}(${named(given)})`,
    rerank: (given) => `${use('Rerank')}(${named(given)})`,
    metadata: (metadata) => {
      const facts = factNames.filter(([field]) => metadata[field]).map(([, words]) => `${snake(words)}=True`);
      return facts.length > 0 ? `${use('MetadataQuery')}(${facts.join(', ')})` : null;
    },
    properties: (properties) => `[${propertyCodes(properties, use).join(', ')}]`,
    references: (properties) => `[${referenceCodes(properties, use).join(', ')}]`,
    metric: ({ property, aggregation }) => {
      const kind = { int: 'integer', date: 'date_' }[aggregation.case as string] ?? aggregation.case;
      const flags = Object.entries(aggregation.value ?? {}).flatMap(([name, value]) =>
        value === true ? (metricNames[name] ?? [name]).map((one) => `${one}=True`) : [],
      );
      const limit = aggregation.case === 'text' ? aggregation.value.topOccurencesLimit : undefined;
      const all = [...flags, ...(limit === undefined ? [] : [`limit=${limit}`])];
      return `${use('Metrics', 'aggregate')}(${text(property)}).${kind}(${all.join(', ')})`;
    },
  };
}

/** The libraries have no member for the type of a property: the schema has it. */
const metricNames: { [field: string]: string[] } = {
  type: [],
  sum: ['sum_'],
  totalTrue: ['total_true'],
  totalFalse: ['total_false'],
  percentageTrue: ['percentage_true'],
  percentageFalse: ['percentage_false'],
  topOccurences: ['top_occurrences_count', 'top_occurrences_value'],
  pointingTo: ['pointing_to'],
};

function placeOf(end: { property: string } | { count: string }, operator: Operator): string {
  if ('count' in end) return `by_ref_count(${text(end.count)})`;
  const length = /^len\((.*)\)$/.exec(end.property)?.[1];
  if (length !== undefined) return `by_property(${text(length)}, length=True)`;
  const isId = end.property === '_id' && idOperators.has(operator);
  return isId ? 'by_id()' : `by_property(${text(end.property)})`;
}

function propertyCodes(properties: PropertiesRequest | ObjectPropertiesRequest, use: Use): string[] {
  const plain =
    'nonRefProperties' in properties ? properties.nonRefProperties : properties.primitiveProperties;
  return [
    ...plain.map(text),
    ...properties.objectProperties.map(
      (one) =>
        `${use('QueryNested')}(name=${text(one.propName)}, properties=[${propertyCodes(one, use).join(', ')}])`,
    ),
  ];
}

function referenceCodes({ refProperties }: PropertiesRequest, use: Use): string[] {
  return refProperties.map(({ referenceProperty, properties, targetCollection }) => {
    const inner = properties ? propertyCodes(properties, use) : [];
    const further = properties?.refProperties.length ? referenceCodes(properties, use) : [];
    const given = [
      `link_on=${text(referenceProperty)}`,
      `target_collection=${text(targetCollection)}`,
      `return_properties=[${inner.join(', ')}]`,
      ...(further.length > 0 ? [`return_references=[${further.join(', ')}]`] : []),
    ];
    return `${use('QueryReference')}.MultiTarget(${given.join(', ')})`;
  });
}
