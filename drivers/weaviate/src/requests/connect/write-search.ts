import {
  BM25Schema,
  CombinationMethod,
  create,
  Hybrid_FusionType as FusionType,
  type GroupBySchema,
  HybridSchema,
  type MessageInitShape,
  NearObjectSchema,
  NearTextSearchSchema,
  NearVectorSchema,
  type SearchRequest,
  SearchRequestSchema,
  type TargetsSchema,
  Vectors_VectorType as VectorType,
  SearchOperatorOptions_Operator as WordOperator,
} from '@trestle/weaviate-connect';
import type { Property } from '../../schema.ts';
import type { GroupsRequest, ObjectsRequest } from '../model/objects.ts';
import type { Join, Search, Targets } from '../model/search.ts';
import { readWhole } from '../model/where.ts';
import { filtersMessage } from './write-filters.ts';

interface Named {
  collection: string;
  tenant: string | undefined;
}

type SearchInit = Exclude<MessageInitShape<typeof SearchRequestSchema>, SearchRequest>;

/**
 * `round`: a request can read the objects of one target collection of each reference. So round 1 reads the second target
 * collections, and so on.
 */
export function objectsMessage(request: ObjectsRequest, named: Named, round = 0): SearchRequest {
  const { search, where, sort = [], limit, offset = 0, autocut = 0, rerank, facts = [] } = request;
  const { vectors = [] } = request;
  const names = vectors.filter((name) => name !== null);
  return create(SearchRequestSchema, {
    ...baseMessage(named),
    ...(search && searchMessage(search)),
    limit,
    offset,
    autocut,
    // Without a value, the server sorts in descending order.
    sortBy: sort.map(({ path, order }) => ({ path: [path], ascending: order === 'asc' })),
    ...(where && { filters: filtersMessage(sort.length > 0 ? readWhole(where) : where) }),
    ...(rerank && { rerank }),
    metadata: {
      uuid: true,
      distance: facts.includes('distance'),
      score: facts.includes('score'),
      explainScore: facts.includes('explainScore'),
      lastUpdateTimeUnix: facts.includes('changedAt'),
      vector: vectors.includes(null),
      vectors: names,
    },
    properties: propertiesMessage(request.properties, round),
  });
}

/** The references with a target collection in each round after the first. */
export function furtherRounds(properties: Property[]): { round: number; references: Property[] }[] {
  const most = Math.max(0, ...properties.map(({ references }) => references.length));
  return Array.from({ length: Math.max(0, most - 1) }, (_, index) => {
    const round = index + 1;
    return { round, references: properties.filter(({ references }) => references.length > round) };
  });
}

export function groupsMessage(request: GroupsRequest, named: Named): SearchRequest {
  const { search, where, limit, autocut = 0, groupBy } = request;
  const { property, groups, objectsPerGroup } = groupBy;
  const grouping: MessageInitShape<typeof GroupBySchema> = {
    path: [property],
    numberOfGroups: groups,
    objectsPerGroup,
  };
  return create(SearchRequestSchema, {
    ...baseMessage(named),
    ...searchMessage(search),
    limit,
    autocut,
    groupBy: grouping,
    ...(where && { filters: filtersMessage(where) }),
    metadata: { uuid: true, distance: true },
    properties: {},
  });
}

function baseMessage({ collection, tenant }: Named): SearchInit {
  return { collection, tenant: tenant ?? '', uses127Api: true };
}

/** Objects are read member by member: if only the object is named, the server leaves out the blobs in it. */
function propertiesMessage(properties: Property[], round: number): SearchInit['properties'] {
  const of = (...types: Property['elementType'][]) =>
    properties.filter(({ elementType }) => types.includes(elementType));
  const references = of('reference').filter(({ references }) => references.length > round);
  const plain = properties.filter(
    ({ elementType }) => elementType !== 'object' && elementType !== 'reference',
  );
  return {
    nonRefProperties: round === 0 ? plain.map(({ name }) => name) : [],
    objectProperties: round === 0 ? of('object').map(objectMessage) : [],
    refProperties: references.map(({ name, references: targets }) => ({
      referenceProperty: name,
      targetCollection: targets[round] ?? '',
      metadata: { uuid: true },
      properties: {},
    })),
  };
}

interface ObjectSelection {
  propName: string;
  primitiveProperties: string[];
  objectProperties: ObjectSelection[];
}

function objectMessage({ name, nested }: Property): ObjectSelection {
  return {
    propName: name,
    primitiveProperties: nested.filter(({ elementType }) => elementType !== 'object').map(({ name }) => name),
    objectProperties: nested.filter(({ elementType }) => elementType === 'object').map(objectMessage),
  };
}

function searchMessage(search: Search): SearchInit {
  switch (search.kind) {
    case 'nearText':
      return { nearText: create(NearTextSearchSchema, { query: [search.text], ...near(search) }) };
    case 'nearVector':
      return {
        nearVector: create(NearVectorSchema, {
          ...nearVectors(search.vector, search.targets),
          ...near(search),
        }),
      };
    case 'nearObject':
      return { nearObject: create(NearObjectSchema, { id: search.id, ...near(search) }) };
    case 'keyword': {
      const { query, properties = [], allWords } = search;
      return {
        bm25Search: create(BM25Schema, {
          query,
          properties,
          ...(allWords && { searchOperator: { operator: WordOperator.AND } }),
        }),
      };
    }
    case 'hybrid':
      return { hybridSearch: create(HybridSchema, hybridMessage(search)) };
  }
}

function hybridMessage(search: Extract<Search, { kind: 'hybrid' }>) {
  const { query, alpha, vector, fusion, maxDistance, properties = [], allWords, targets } = search;
  return {
    query,
    properties,
    // Without the flag, the server ignores the number and searches for keywords only.
    useAlphaParam: true,
    alphaParam: alpha,
    fusionType: fusion === 'rankedFusion' ? FusionType.RANKED : FusionType.RELATIVE_SCORE,
    ...(vector && { vectors: [singleVector(vector)] }),
    ...(targets && { targets: targetsMessage(targets) }),
    ...(allWords && { bm25SearchOperator: { operator: WordOperator.AND } }),
    ...(maxDistance !== undefined && {
      threshold: { case: 'vectorDistance' as const, value: maxDistance },
    }),
  };
}

function near({ distance, targets }: { distance: number | undefined; targets: Targets | undefined }) {
  return {
    ...(distance !== undefined && { distance }),
    ...(targets && { targets: targetsMessage(targets) }),
  };
}

/** With several targets, each needs its vector. */
function nearVectors(vector: number[], targets: Targets | undefined) {
  const vectors = [singleVector(vector)];
  if (!targets || targets.names.length < 2) return { vectors };
  return { vectorForTargets: targets.names.map((name) => ({ name, vectors })) };
}

function singleVector(vector: number[]) {
  return { vectorBytes: new Uint8Array(new Float32Array(vector).buffer), type: VectorType.SINGLE_FP32 };
}

/** The server takes weights only in the order of the targets. */
function targetsMessage({ names, join }: Targets): MessageInitShape<typeof TargetsSchema> {
  if (!join) return { targetVectors: names };
  const weights = join.weights?.map(({ name, weight }) => ({ target: name, weight }));
  return {
    targetVectors: names,
    combination: methods[join.method],
    ...(weights && { weightsForTargets: weights }),
  };
}

const methods: Record<Join, CombinationMethod> = {
  minimum: CombinationMethod.TYPE_MIN,
  average: CombinationMethod.TYPE_AVERAGE,
  sum: CombinationMethod.TYPE_SUM,
  manualWeights: CombinationMethod.TYPE_MANUAL,
  relativeScore: CombinationMethod.TYPE_RELATIVE_SCORE,
};
