import type { Json } from '@trestle/driver-kit';
import type {
  AggregateRequest,
  AggregateRequest_Aggregation as Aggregation,
  Filters,
  Hybrid,
  MetadataRequest,
  NearTextSearch_Move as Move,
  PropertiesRequest,
  SearchOperatorOptions,
  SearchRequest,
  Targets,
} from '@trestle/weaviate-connect';
import { ConsistencyLevel, Hybrid_FusionType as FusionType } from '@trestle/weaviate-connect';
import { type Near, searchedVector, searchOfAggregate, searchOfRequest, shortFloat } from './messages.ts';

/** One field below `Get` or `Aggregate`. */
export type ConvertedField =
  | { method: 'Aggregate'; request: AggregateRequest }
  | {
      method: 'Search';
      request: SearchRequest;
      /** For the rows of the first request: one request for each further target collection of a reference. */
      further: SearchRequest[];
    };

/** An argument with its name in words: `['auto', 'limit']`. */
export type Argument = [words: string[], code: string];

/** How one client library writes the parts of a request. */
export interface Language {
  value(value: Json): string;
  filter(filters: Filters): string;
  sort(request: SearchRequest): string;
  target(targets: Targets): string;
  move(move: Move): string;
  words(operator: SearchOperatorOptions): string;
  fusion(name: 'ranked' | 'relativeScore'): string;
  /** The vector part of a hybrid search that is a search itself. */
  innerSearch(method: string[], subject: string, given: Argument[]): string;
  group(given: Argument[]): string;
  rerank(given: Argument[]): string;
  metadata(metadata: MetadataRequest): string | null;
  properties(properties: PropertiesRequest): string;
  references(properties: PropertiesRequest): string;
  /** Null if the library has no such metric. */
  metric(aggregation: Aggregation): string | null;
}

/** The method, its first argument, and the others. */
export interface MethodCall {
  method: string[];
  subject: string | null;
  given: Argument[];
}

export function searchCall(request: SearchRequest, language: Language): MethodCall {
  const { metadata, properties, limit, offset, after, autocut, groupBy, rerank, generative } = request;
  const search = searchOfRequest(request);
  const vectors = metadata && (metadata.vector || (metadata.vectors.length > 0 && metadata.vectors));
  const facts = metadata && language.metadata(metadata);
  const value = (given: Json) => language.value(given);
  return {
    ...methodOf(search, language),
    given: [
      ...(search ? searchArguments(search, language) : []),
      ...some(request.filters, (one) => [['filters'], language.filter(one)]),
      ...(request.sortBy.length > 0 ? [[['sort'], language.sort(request)] satisfies Argument] : []),
      ...(limit > 0 ? [[['limit'], value(limit)] satisfies Argument] : []),
      ...(offset > 0 ? [[['offset'], value(offset)] satisfies Argument] : []),
      ...(after !== '' ? [[['after'], value(after)] satisfies Argument] : []),
      ...(autocut > 0 ? [[['auto', 'limit'], value(autocut)] satisfies Argument] : []),
      ...some(groupBy, (one) => [
        ['group', 'by'],
        language.group([
          [['prop'], value(one.path[0] ?? '')],
          [['number', 'of', 'groups'], value(one.numberOfGroups)],
          [['objects', 'per', 'group'], value(one.objectsPerGroup)],
        ]),
      ]),
      ...some(rerank, (one) => [
        ['rerank'],
        language.rerank([
          [['prop'], value(one.property)],
          ...some(one.query, (query): Argument => [['query'], value(query)]),
        ]),
      ]),
      ...some(generative?.single, (one): Argument => [['single', 'prompt'], value(one.prompt)]),
      ...some(generative?.grouped, (one): Argument => [['grouped', 'task'], value(one.task)]),
      ...some(
        generative?.grouped?.properties,
        (one): Argument => [['grouped', 'properties'], value(one.values)],
      ),
      ...(vectors ? [[['include', 'vector'], value(vectors)] satisfies Argument] : []),
      ...(facts ? [[['return', 'metadata'], facts] satisfies Argument] : []),
      ...some(properties, (one) => [['return', 'properties'], language.properties(one)]),
      ...(properties && properties.refProperties.length > 0
        ? [[['return', 'references'], language.references(properties)] satisfies Argument]
        : []),
    ],
  };
}

export function aggregateCall(request: AggregateRequest, language: Language): MethodCall {
  const search = searchOfAggregate(request);
  const { method, subject } = methodOf(search, language);
  return {
    method: search ? method : ['over', 'all'],
    subject,
    given: [
      ...(search ? searchArguments(search, language) : []),
      ...some(request.filters, (one) => [['filters'], language.filter(one)]),
      ...some(request.objectLimit, (one): Argument => [['object', 'limit'], language.value(one)]),
    ],
  };
}

function some<T>(value: T | undefined | null, argument: (value: T) => Argument): Argument[] {
  return value === undefined || value === null ? [] : [argument(value)];
}

function methodOf(search: Near | null, language: Language): Omit<MethodCall, 'given'> {
  switch (search?.kind) {
    case undefined:
      return { method: ['fetch', 'objects'], subject: null };
    case 'vector':
      return { method: ['near', 'vector'], subject: language.value(searchedVector(search.search)) };
    case 'object':
      return { method: ['near', 'object'], subject: language.value(search.search.id) };
    case 'text':
      return { method: ['near', 'text'], subject: language.value(search.search.query) };
    case 'media':
      // Only the method for images is in both libraries. The other media have one method together.
      return {
        method: ['near', search.medium === 'image' ? 'image' : 'media'],
        subject: language.value(search.data),
      };
    default:
      return { method: [search!.kind], subject: language.value(search!.search.query) };
  }
}

function searchArguments(search: Near, language: Language): Argument[] {
  const value = (given: Json) => language.value(given);
  switch (search.kind) {
    case 'bm25':
      return [
        ...listed(['query', 'properties'], search.search.properties, language),
        ...some(search.search.searchOperator, (one) => [['operator'], language.words(one)]),
      ];
    case 'hybrid':
      return hybridArguments(search.search, language);
    case 'media': {
      const medium: Argument[] = search.medium === 'image' ? [] : [[['media', 'type'], value(search.medium)]];
      return [...medium, ...limits(search.search, language)];
    }
    case 'text':
      return [
        ...limits(search.search, language),
        ...some(search.search.moveTo, (one) => [['move', 'to'], language.move(one)]),
        ...some(search.search.moveAway, (one) => [['move', 'away'], language.move(one)]),
      ];
    default:
      return limits(search.search, language);
  }
}

function listed(words: string[], names: string[], language: Language): Argument[] {
  return names.length > 0 ? [[words, language.value(names)]] : [];
}

function limits(
  search: { certainty?: number; distance?: number; targets?: Targets | undefined },
  language: Language,
): Argument[] {
  return [
    ...some(search.certainty, (one): Argument => [['certainty'], language.value(one)]),
    ...some(search.distance, (one): Argument => [['distance'], language.value(one)]),
    ...some(search.targets, (one) => [['target', 'vector'], language.target(one)]),
  ];
}

function hybridArguments(search: Hybrid, language: Language): Argument[] {
  const { vectors, nearText, nearVector, targets, threshold, fusionType } = search;
  const inner: Argument[] = nearText
    ? [
        [
          ['vector'],
          language.innerSearch(['near', 'text'], language.value(nearText.query), [
            ...searchArguments({ kind: 'text', search: nearText }, language),
          ]),
        ],
      ]
    : nearVector
      ? [
          [
            ['vector'],
            language.innerSearch(['near', 'vector'], language.value(searchedVector(nearVector)), [
              ...limits({ ...nearVector, targets: undefined }, language),
            ]),
          ],
        ]
      : vectors[0]
        ? [[['vector'], language.value(searchedVector({ vectors, vectorForTargets: [] } as never))]]
        : [];
  return [
    [['alpha'], language.value(shortFloat(search.alphaParam ?? 0))],
    ...(fusionType === FusionType.RANKED
      ? [[['fusion', 'type'], language.fusion('ranked')] satisfies Argument]
      : []),
    ...inner,
    ...listed(['query', 'properties'], search.properties, language),
    ...some(
      threshold.case && threshold.value,
      (one): Argument => [['max', 'vector', 'distance'], language.value(shortFloat(one))],
    ),
    ...some(search.bm25SearchOperator, (one) => [['bm25', 'operator'], language.words(one)]),
    ...some(targets, (one) => [['target', 'vector'], language.target(one)]),
  ];
}

export function levelName(level: ConsistencyLevel | undefined): 'ONE' | 'QUORUM' | 'ALL' | null {
  switch (level) {
    case ConsistencyLevel.ONE:
      return 'ONE';
    case ConsistencyLevel.QUORUM:
      return 'QUORUM';
    case ConsistencyLevel.ALL:
      return 'ALL';
    default:
      return null;
  }
}

/** What a program prints of each row. */
export function printedParts({ metadata, properties, generative }: SearchRequest, language: Language) {
  return {
    references: (properties?.refProperties.length ?? 0) > 0,
    vectors: metadata ? metadata.vector || metadata.vectors.length > 0 : false,
    metadata: metadata ? language.metadata(metadata) !== null : false,
    prompt: generative?.single !== undefined,
  };
}

/** The metrics of an aggregate, and a sentence for each property that the library leaves out. */
export function metricsOf({ aggregations }: AggregateRequest, language: Language) {
  const metrics = aggregations.map((one) => ({ property: one.property, code: language.metric(one) }));
  const missing = metrics.filter(({ code }) => code === null).map(({ property }) => property);
  const codes = metrics.flatMap(({ code }) => (code === null ? [] : [code]));
  return {
    metrics: codes.length > 0 ? [[['return', 'metrics'], `[${codes.join(', ')}]`] satisfies Argument] : [],
    notes: [
      ...missing.map((property) => `The library cannot aggregate ${property}: it is a reference.`),
      ...(aggregations.some(hasType) ? ['The library has no type of a property. The schema has it.'] : []),
    ],
  };
}

function hasType({ aggregation: { value } }: Aggregation): boolean {
  return value !== undefined && 'type' in value && value.type;
}

/** Providers have their own classes in the libraries. */
export function generativeNotes({ generative }: SearchRequest, setting: string): string[] {
  const providers = [...(generative?.single?.queries ?? []), ...(generative?.grouped?.queries ?? [])];
  return providers.length > 0 ? [`Add ${setting} with the settings of the provider.`] : [];
}
