import {
  type BM25,
  CombinationMethod,
  Hybrid_FusionType as FusionType,
  type Hybrid,
  type NearObject,
  type NearTextSearch,
  type NearTextSearch_Move,
  type NearVector,
  type SearchOperatorOptions,
  type Targets,
  type Vectors,
  SearchOperatorOptions_Operator as WordOperator,
} from '@trestle/weaviate-connect';
import { type ClassDefinition, vectorSpaces } from '../definition.ts';
import { type ServerError, unprocessable } from '../errors.ts';
import type { SearchOperator } from '../search/bm25.ts';
import type { TargetsInput } from '../search/join-targets.ts';
import { hasTextModule, type SearchInput } from '../search/search.ts';

/** The searches that both Search and Aggregate take. Aggregate has no `bm25`. There may be one by an image, too. */
export interface GivenSearches {
  nearVector?: NearVector | undefined;
  nearObject?: NearObject | undefined;
  nearText?: NearTextSearch | undefined;
  bm25?: BM25 | undefined;
  hybrid?: Hybrid | undefined;
}

export function searchOf(given: GivenSearches, definition: ClassDefinition): SearchInput {
  const { nearVector, nearObject, nearText, bm25, hybrid } = given;
  const names = Object.entries(given).filter(([, search]) => search !== undefined);
  if (names.length > 1) {
    throw unprocessable(
      'conflict: both near<Media> and keyword-based (bm25) arguments present, choose one instead',
    );
  }
  if (nearVector) return { nearVector: nearVectorInput(nearVector, definition) };
  if (nearObject) return { nearObject: nearObjectInput(nearObject, definition) };
  if (nearText) return { nearText: nearTextInput(nearText, definition) };
  if (bm25) return { bm25: bm25Input(bm25) };
  if (hybrid) return { hybrid: hybridInput(hybrid, definition) };
  const [medium] = names;
  if (medium) throw withoutModule(medium[0], definition);
  return {};
}

function nearVectorInput(given: NearVector, definition: ClassDefinition) {
  const perTarget = new Map(
    given.vectorForTargets.map(({ name, vectors, vectorBytes }) => [
      name,
      vectorOf({ vectors, vectorBytes, vector: [] }),
    ]),
  );
  for (const [name, bytes] of Object.entries(given.vectorPerTarget)) perTarget.set(name, floatsOf(bytes));
  const vector = vectorOf(given);
  if (vector.length === 0 && perTarget.size === 0) throw unprocessable('near_vector: vector is required');
  return { vector, vectorPerTarget: perTarget, ...nearOf('near_vector', given, definition) };
}

function nearObjectInput(given: NearObject, definition: ClassDefinition) {
  if (given.id === '') throw unprocessable('near_object: id is required');
  return { id: given.id, ...nearOf('near_object', given, definition) };
}

function nearTextInput(given: NearTextSearch, definition: ClassDefinition) {
  if (!hasTextModule(definition)) throw withoutModule('nearText', definition);
  return {
    concepts: given.query,
    ...(given.moveTo && { moveTo: movement(given.moveTo) }),
    ...(given.moveAway && { moveAwayFrom: movement(given.moveAway) }),
    ...nearOf('near_text', given, definition),
  };
}

/** Weaviate's words for a search that needs a module that the collection does not have. */
export function withoutModule(search: string, definition: ClassDefinition): ServerError {
  return unprocessable(
    `explorer: get class: vectorize params: could not vectorize input for collection ${definition.class} with search-type ${search}. Make sure a vectorizer module is configured for this collection`,
  );
}

function movement({ force, concepts, uuids }: NearTextSearch_Move) {
  return { force, concepts, objects: uuids.map((id) => ({ id })) };
}

interface Near {
  distance?: number | undefined;
  certainty?: number | undefined;
  targets?: Targets | undefined;
  targetVectors: string[];
}

function nearOf(name: string, given: Near, definition: ClassDefinition) {
  const { distance, certainty } = given;
  if (distance !== undefined && certainty !== undefined) {
    throw unprocessable(`${name}: cannot provide distance and certainty`);
  }
  return {
    ...(distance !== undefined && { distance }),
    ...(certainty !== undefined && { certainty }),
    targets: targetsOf(given, definition),
  };
}

function targetsOf(
  { targets, targetVectors }: Pick<Near, 'targets' | 'targetVectors'>,
  definition: ClassDefinition,
): TargetsInput {
  const names = targets?.targetVectors ?? targetVectors;
  const known = definition.vectorConfig ? vectorSpaces(definition).map(({ name }) => name) : [];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw unprocessable(
      `extract target vectors: class ${definition.class} does not have named vector ${unknown} configured. Available named vectors [${known.join(' ')}]`,
    );
  }
  if (names.length === 0 && known.length > 1) {
    throw unprocessable(
      `extract target vectors: class ${definition.class} has multiple vectors, but no target vectors were provided`,
    );
  }
  const method = targets && combinationMethods[targets.combination];
  return {
    targetVectors: names,
    ...(method !== undefined && { combinationMethod: method }),
    weights: Object.fromEntries(
      targets?.weightsForTargets.map(({ target, weight }) => [target, weight]) ?? [],
    ),
  };
}

const combinationMethods: Partial<Record<CombinationMethod, string>> = {
  [CombinationMethod.TYPE_SUM]: 'sum',
  [CombinationMethod.TYPE_MIN]: 'minimum',
  [CombinationMethod.TYPE_AVERAGE]: 'average',
  [CombinationMethod.TYPE_RELATIVE_SCORE]: 'relativeScore',
  [CombinationMethod.TYPE_MANUAL]: 'manualWeights',
};

function bm25Input({ query, properties, searchOperator }: BM25) {
  return { query, properties, ...(searchOperator && { searchOperator: wordOperator(searchOperator) }) };
}

function wordOperator({ operator, minimumOrTokensMatch }: SearchOperatorOptions): SearchOperator {
  const name =
    operator === WordOperator.AND ? 'And' : operator === WordOperator.AND_CROSS ? 'AndCross' : 'Or';
  return { operator: name, ...(minimumOrTokensMatch !== undefined && { minimumOrTokensMatch }) };
}

function hybridInput(given: Hybrid, definition: ClassDefinition) {
  if (given.nearText) throw unprocessable('the sample node takes no near_text in hybrid_search');
  const vector = vectorOf(given.nearVector ?? given);
  return {
    query: given.query,
    properties: given.properties,
    // Without the flag, Weaviate ignores `alphaParam`: it searches for keywords only.
    alpha: given.useAlphaParam ? (given.alphaParam ?? 0) : given.alpha,
    fusionType: given.fusionType === FusionType.RANKED ? 'rankedFusion' : 'relativeScoreFusion',
    targets: targetsOf(given, definition),
    ...(vector.length > 0 && { vector }),
    ...(given.bm25SearchOperator && { bm25SearchOperator: wordOperator(given.bm25SearchOperator) }),
    ...(given.threshold.case === 'vectorDistance' && { maxVectorDistance: given.threshold.value }),
  };
}

interface GivenVector {
  vectors: Vectors[];
  vectorBytes: Uint8Array;
  vector: number[];
}

/** The vector in the newest of the fields that have one. */
function vectorOf({ vectors, vectorBytes, vector }: GivenVector): number[] {
  const bytes = vectors[0]?.vectorBytes ?? vectorBytes;
  return bytes.length > 0 ? floatsOf(bytes) : vector;
}

function floatsOf(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => view.getFloat32(index * 4, true));
}
