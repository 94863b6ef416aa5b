import { type ClassDefinition, vectorSpaces } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import { readBeacon } from '../store/beacon.ts';
import { textModule } from '../store/class-check.ts';
import type { Database } from '../store/database.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { uuidPattern } from '../store/value-check.ts';
import { bm25, type SearchOperator } from './bm25.ts';
import type { Hit } from './hit.ts';
import { fuse } from './hybrid.ts';
import type { TargetsInput } from './join-targets.ts';
import { type NearText, textVector } from './near-text.ts';
import { type Bounds, nearest, targetSpaces } from './nearest.ts';

export interface SearchInput {
  nearText?: NearText;
  nearVector?: Bounds & {
    vector?: number[];
    /** By the names of the target vectors. Each of the others gets `vector`. */
    vectorPerTarget?: ReadonlyMap<string, number[]>;
    targetVectors?: string[];
    targets?: TargetsInput;
  };
  nearObject?: Bounds & { id?: string; beacon?: string; targetVectors?: string[]; targets?: TargetsInput };
  bm25?: { query?: string; properties?: string[]; searchOperator?: SearchOperator };
  hybrid?: {
    query?: string;
    alpha?: number;
    vector?: number[];
    properties?: string[];
    targetVectors?: string[];
    targets?: TargetsInput;
    bm25SearchOperator?: SearchOperator;
    fusionType?: string;
    maxVectorDistance?: number;
  };
}

interface Among {
  /** All objects of the collection or tenant, for the word statistics and the vector of `nearObject`. */
  all: StoredObject[];
  /** The objects that match the filter. */
  candidates: StoredObject[];
  limit: number;
  /** The most hits by words, and by vector, that a hybrid search mixes. */
  ofEach?: number;
}

export function isSearch(input: SearchInput): boolean {
  return Boolean(input.nearText || input.nearVector || input.nearObject || input.bm25 || input.hybrid);
}

/** Best or nearest first. */
export function searchHits(
  database: Database,
  definition: ClassDefinition,
  input: SearchInput,
  among: Among,
): Hit[] {
  if (input.hybrid) return hybridHits(database, definition, input.hybrid, among);
  if (input.bm25) return bm25(definition, input.bm25, among.all, among.candidates);
  const asked = input.nearText ?? input.nearVector ?? input.nearObject ?? {};
  const spaces = targetSpaces(definition, asked.targets?.targetVectors ?? asked.targetVectors);
  const targets = spaces.map((space) => ({
    space,
    vector: input.nearText
      ? textVector(input.nearText, space, { database, className: definition.class })
      : input.nearVector
        ? givenVector(input.nearVector.vectorPerTarget?.get(space.name) ?? input.nearVector.vector)
        : objectVector(input.nearObject ?? {}, space.name, among.all),
  }));
  return nearest(among.candidates, targets, { ...asked, join: asked.targets });
}

function hybridHits(
  database: Database,
  definition: ClassDefinition,
  asked: NonNullable<SearchInput['hybrid']>,
  { all, candidates, limit, ofEach = Math.max(limit, 100) }: Among,
): Hit[] {
  const alpha = asked.alpha ?? 0.75;
  if (alpha < 0 || alpha > 1)
    throw unprocessable('failed to extract hybrid params: alpha should be between 0.0 and 1.0');
  const keyword =
    alpha < 1 && asked.query
      ? bm25(
          definition,
          {
            query: asked.query,
            ...(asked.properties && { properties: asked.properties }),
            ...(asked.bm25SearchOperator && { searchOperator: asked.bm25SearchOperator }),
          },
          all,
          candidates,
        )
      : [];
  const vector = alpha > 0 ? hybridVectorHits(database, definition, asked, candidates) : [];
  const fusion = asked.fusionType === 'rankedFusion' ? 'rankedFusion' : 'relativeScoreFusion';
  return fuse(keyword.slice(0, ofEach), vector.slice(0, ofEach), { alpha, fusion });
}

function hybridVectorHits(
  database: Database,
  definition: ClassDefinition,
  asked: NonNullable<SearchInput['hybrid']>,
  candidates: StoredObject[],
): Hit[] {
  const spaces = targetSpaces(definition, asked.targets?.targetVectors ?? asked.targetVectors);
  const targets = spaces.map((space) => {
    if (asked.vector) return { space, vector: asked.vector };
    if (space.vectorizer !== textModule) {
      throw unprocessable(
        `VectorFromInput was called without vectorizer on class ${definition.class} for input ${asked.query}`,
      );
    }
    return { space, vector: Array.from(database.embed(asked.query ?? '')) };
  });
  const bounds = asked.maxVectorDistance === undefined ? {} : { distance: asked.maxVectorDistance };
  return nearest(candidates, targets, { ...bounds, join: asked.targets });
}

function givenVector(vector: number[] | undefined): number[] {
  if (vector && vector.length > 0) return vector;
  throw unprocessable('failed to extract nearVector params: vector or vectorPerTarget is required field');
}

function objectVector(
  asked: { id?: string; beacon?: string },
  space: string,
  objects: StoredObject[],
): readonly number[] {
  const refuse = (reason: string) =>
    unprocessable(
      `explorer: get class: concurrentTargetVectorSearch): explorer: get class: vectorize search vector: nearObject params: ${reason}`,
    );
  const id = asked.beacon ? readBeacon(asked.beacon)?.id : asked.id?.toLowerCase();
  if (!id) throw refuse('empty id and beacon');
  if (!uuidPattern.test(id)) throw refuse(`parse uuid "${id}": invalid UUID length: ${id.length}`);
  const vector = objects.find((object) => object.id === id)?.vectors.get(space);
  if (!vector) throw refuse('vector not found');
  return vector;
}

export function hasTextModule(definition: ClassDefinition): boolean {
  return vectorSpaces(definition).some(({ vectorizer }) => vectorizer === textModule);
}
