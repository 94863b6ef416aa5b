import type { WeaviateObject } from '../../cells.ts';
import type { WeaviateClient } from '../../client.ts';
import type { Collection, Property } from '../../schema.ts';
import type { AggregateQuery, FoundAggregate } from './aggregate.ts';
import type { Search } from './search.ts';
import type { Where } from './where.ts';

/** Where a request goes. */
export interface QueryPlace {
  readonly client: WeaviateClient;
  readonly collection: Collection;
  readonly tenant: string | undefined;
  readonly signal: AbortSignal;
  /** Reads objects one by one, for the values that the interface of the query cannot send. */
  readAll(ids: string[], withVectors: boolean): Promise<(WeaviateObject | null)[]>;
}

/** One page of objects of a collection: filtered, sorted or found by a search. */
export interface ObjectsRequest {
  properties: Property[];
  where?: Where | null;
  /** Not together with a search. */
  sort?: SortKey[];
  search?: Search;
  limit: number;
  offset?: number;
  autocut?: number | undefined;
  rerank?: Rerank | undefined;
  /** Sends the keys of model providers too. */
  providerKeys?: boolean;
  /** What the answer says about each object, besides its uuid and its properties. */
  facts?: Fact[];
  /** The vectors to read. Null is the unnamed vector. */
  vectors?: (string | null)[];
}

export interface SortKey {
  /** A property, `_id` or `_lastUpdateTimeUnix`. */
  path: string;
  order: 'asc' | 'desc';
}

export interface Rerank {
  property: string;
  query: string;
}

export type Fact = 'distance' | 'score' | 'explainScore' | 'changedAt';

/** A fact that was not requested, or that the server does not know, is null. */
export interface FoundObject {
  object: WeaviateObject;
  distance: number | null;
  score: number | null;
  explainScore: string | null;
  rerankScore: number | null;
  /** The time of the last change, in milliseconds since 1970. */
  changedAt: string | null;
}

export interface GroupsRequest extends Pick<ObjectsRequest, 'where' | 'limit' | 'autocut' | 'providerKeys'> {
  search: Search;
  groupBy: { property: string; groups: number; objectsPerGroup: number };
}

export interface FoundGroup {
  value: string;
  hits: { id: string; distance: number | null }[];
}

/** What the driver asks a server for, besides plain REST. Each interface of the server has one implementation. */
export interface ObjectQueries {
  find(place: QueryPlace, request: ObjectsRequest): Promise<FoundObject[]>;
  findGroups(place: QueryPlace, request: GroupsRequest): Promise<FoundGroup[]>;
  /** Objects with these vectors, in any order. An object that does not exist is missing. */
  readVectors(
    place: QueryPlace,
    ids: string[],
    vectors: (string | null)[],
  ): Promise<Pick<WeaviateObject, 'id' | 'vector' | 'vectors'>[]>;
  /** Whether REST and `readVectors` together are faster than REST with vectors. */
  readsVectorsFast(signal: AbortSignal): Promise<boolean>;
  count(place: CountPlace, where: Where | null): Promise<number>;
  aggregate(place: CountPlace, query: AggregateQuery): Promise<FoundAggregate[]>;
}

export interface CountPlace {
  readonly client: WeaviateClient;
  readonly collection: { name: string };
  readonly tenant: string | undefined;
  readonly signal: AbortSignal;
}
