import type { Json } from '@trestle/driver-kit';
import type {
  AggregateRequest,
  Filters,
  FilterTarget,
  Hybrid,
  MetadataRequest,
  NearVector,
  SearchRequest,
  Targets,
  Vectors,
} from '@trestle/weaviate-connect';
import { CombinationMethod as Combination, Filters_Operator as Operator } from '@trestle/weaviate-connect';
import { plainVector } from '../metadata.ts';
import { vectorOf } from '../read-values.ts';

/** What the client libraries call the operators. Each language writes the words in its own case. */
export const operatorWords: { [operator: number]: string[] } = {
  [Operator.EQUAL]: ['equal'],
  [Operator.NOT_EQUAL]: ['not', 'equal'],
  [Operator.GREATER_THAN]: ['greater', 'than'],
  [Operator.GREATER_THAN_EQUAL]: ['greater', 'or', 'equal'],
  [Operator.LESS_THAN]: ['less', 'than'],
  [Operator.LESS_THAN_EQUAL]: ['less', 'or', 'equal'],
  [Operator.LIKE]: ['like'],
  [Operator.CONTAINS_ANY]: ['contains', 'any'],
  [Operator.CONTAINS_ALL]: ['contains', 'all'],
  [Operator.CONTAINS_NONE]: ['contains', 'none'],
  [Operator.WITHIN_GEO_RANGE]: ['within', 'geo', 'range'],
};

export const joinWords: { [method: number]: string[] } = {
  [Combination.TYPE_MIN]: ['minimum'],
  [Combination.TYPE_SUM]: ['sum'],
  [Combination.TYPE_AVERAGE]: ['average'],
  [Combination.TYPE_MANUAL]: ['manual', 'weights'],
  [Combination.TYPE_RELATIVE_SCORE]: ['relative', 'score'],
};

export function snake(words: string[]): string {
  return words.join('_');
}

export function camel([first = '', ...others]: string[]): string {
  return [first, ...others.map((word) => word[0]!.toUpperCase() + word.slice(1))].join('');
}

export function valueOfFilter({ testValue }: Filters): Json {
  switch (testValue.case) {
    case undefined:
    case 'valueGeo':
      return null;
    case 'valueInt':
      return Number(testValue.value);
    case 'valueIntArray':
      return testValue.value.values.map(Number);
    case 'valueTextArray':
    case 'valueNumberArray':
    case 'valueBooleanArray':
      return testValue.value.values;
    default:
      return testValue.value;
  }
}

/** The references on the way to a property, and the property. */
export interface TargetPath {
  steps: { on: string; collection: string | undefined }[];
  end: { property: string } | { count: string };
}

export function pathOf({ target }: FilterTarget): TargetPath {
  switch (target.case) {
    case 'count':
      return { steps: [], end: { count: target.value.on } };
    case 'singleTarget':
    case 'multiTarget': {
      const inner = pathOf(target.value.target!);
      const collection = target.case === 'multiTarget' ? target.value.targetCollection : undefined;
      return { ...inner, steps: [{ on: target.value.on, collection }, ...inner.steps] };
    }
    default:
      return { steps: [], end: { property: target.value ?? '' } };
  }
}

export function numbersOf(vector: Vectors): Json {
  return plainVector(vectorOf(vector));
}

/** The vector of a search, or the vectors by the names of their targets. */
export function searchedVector({ vectors, vectorForTargets }: NearVector): Json {
  if (vectorForTargets.length === 0) return vectors[0] ? numbersOf(vectors[0]) : null;
  return Object.fromEntries(
    vectorForTargets.map((one) => {
      const all = one.vectors.map(numbersOf);
      return [one.name, all.length === 1 ? all[0]! : all] as const;
    }),
  );
}

/** The weight of each target. A target that stands twice has a list of weights. */
export function weightsOf({ weightsForTargets }: Targets): { [target: string]: Json } {
  const groups = Map.groupBy(weightsForTargets, ({ target }) => target);
  return Object.fromEntries(
    [...groups].map(([target, weights]) => {
      // A weight is a float32, so it has more digits than the user wrote.
      const all = weights.map(({ weight }) => Number(weight.toPrecision(7)));
      return [target, all.length === 1 ? all[0]! : all] as const;
    }),
  );
}

/** Facts about an object, and their names in Python. */
export const factNames = [
  ['creationTimeUnix', ['creation', 'time']],
  ['lastUpdateTimeUnix', ['last', 'update', 'time']],
  ['distance', ['distance']],
  ['certainty', ['certainty']],
  ['score', ['score']],
  ['explainScore', ['explain', 'score']],
  ['isConsistent', ['is', 'consistent']],
] as const satisfies [keyof MetadataRequest, string[]][];

/** The libraries have only these operators for an id. With others, the id is the property `_id`. */
export const idOperators = new Set<Operator>([Operator.EQUAL, Operator.NOT_EQUAL, Operator.CONTAINS_ANY]);

/** A float32 as the user wrote it. */
export function shortFloat(value: number): number {
  return Number(value.toPrecision(7));
}

/** The media that a search may have. */
const mediaFields = {
  nearImage: 'image',
  nearAudio: 'audio',
  nearVideo: 'video',
  nearDepth: 'depth',
  nearThermal: 'thermal',
  nearImu: 'imu',
} as const;

export type Near =
  | { kind: 'vector'; search: NearVector }
  | { kind: 'object'; search: NonNullable<SearchRequest['nearObject']> }
  | { kind: 'text'; search: NonNullable<SearchRequest['nearText']> }
  | { kind: 'hybrid'; search: Hybrid }
  | { kind: 'bm25'; search: NonNullable<SearchRequest['bm25Search']> }
  | {
      kind: 'media';
      medium: (typeof mediaFields)[keyof typeof mediaFields];
      data: string;
      search: { certainty?: number; distance?: number; targets?: Targets };
    };

export function searchOfRequest(request: SearchRequest): Near | null {
  if (request.nearVector) return { kind: 'vector', search: request.nearVector };
  if (request.nearObject) return { kind: 'object', search: request.nearObject };
  if (request.nearText) return { kind: 'text', search: request.nearText };
  if (request.hybridSearch) return { kind: 'hybrid', search: request.hybridSearch };
  if (request.bm25Search) return { kind: 'bm25', search: request.bm25Search };
  return mediaSearch(request);
}

export function searchOfAggregate({ search }: AggregateRequest): Near | null {
  switch (search.case) {
    case undefined:
      return null;
    case 'nearVector':
      return { kind: 'vector', search: search.value };
    case 'nearObject':
      return { kind: 'object', search: search.value };
    case 'nearText':
      return { kind: 'text', search: search.value };
    case 'hybrid':
      return { kind: 'hybrid', search: search.value };
    default:
      return mediaSearch({ [search.case]: search.value });
  }
}

function mediaSearch(of: object): Near | null {
  for (const [field, medium] of Object.entries(mediaFields)) {
    const search = (of as { [field: string]: ({ [medium: string]: string } & object) | undefined })[field];
    if (search) return { kind: 'media', medium, data: search[medium] ?? '', search };
  }
  return null;
}
