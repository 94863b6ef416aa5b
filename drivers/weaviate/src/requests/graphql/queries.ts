import { float32ToNumber, type Json, ownValue } from '@trestle/driver-kit';
import { isRecord, type JsonRecord, recordsOf, wrongAnswer } from '../../answer-shape.ts';
import type { WeaviateObject } from '../../cells.ts';
import type {
  CountPlace,
  FoundGroup,
  FoundObject,
  GroupsRequest,
  ObjectQueries,
  ObjectsRequest,
  QueryPlace,
} from '../model/objects.ts';
import { aggregateQuery, readAggregate } from './aggregate.ts';
import { rereadLargeIntegers } from './large-integers.ts';
import { countQuery, groupsQuery, objectsQuery } from './write.ts';

/** Objects, groups and counts over GraphQL. */
export const graphqlQueries: ObjectQueries = {
  async find(place, request) {
    const rows = await getRows(place, objectsQuery(request, named(place)), request.providerKeys);
    const found = rows.map(foundObject);
    const objects = found.map(({ object }) => object);
    const again = {
      readAll: (ids: string[], withVectors: boolean) => place.readAll(ids, withVectors),
      idsWhere: async (where: ObjectsRequest['where'], limit: number) => {
        const asked = objectsQuery({ properties: [], where, limit }, named(place));
        return (await getRows(place, asked)).map((row) => foundObject(row).object.id);
      },
    };
    await rereadLargeIntegers(again, objects, request.properties);
    if (request.vectors && request.vectors.length > 0) await addVectors(place, objects);
    return found;
  },

  /** One REST request for each row: the vectors of a page take up to ten times as long over GraphQL. */
  async readVectors(place, ids) {
    const objects = await place.readAll(ids, true);
    return objects.filter((object) => object !== null);
  },

  readsVectorsFast: async () => false,

  async findGroups(place, request: GroupsRequest): Promise<FoundGroup[]> {
    const rows = await getRows(place, groupsQuery(request, named(place)), request.providerKeys);
    return rows.map(({ _additional }) => {
      const { group } = _additional as unknown as { group: AnsweredGroup };
      const hits = (group.hits ?? []).map(({ _additional: hit }) => ({
        id: hit.id,
        distance: hit.distance ?? null,
      }));
      return { value: group.groupedBy?.value ?? '', hits };
    });
  },

  async count(place, where) {
    const data = (await place.client.graphqlData(countQuery(where, named(place)), place.signal)) as {
      Aggregate?: { [name: string]: { meta?: { count?: number } }[] };
    };
    const count = data.Aggregate?.[place.collection.name]?.[0]?.meta?.count;
    // A missing count must not be shown as 0.
    if (typeof count !== 'number') throw wrongAnswer('/v1/graphql');
    return count;
  },

  async aggregate(place, query) {
    const { Aggregate: found } = await place.client.graphqlData(
      aggregateQuery(query, named(place)),
      place.signal,
    );
    const groups = recordsOf(isRecord(found) ? found[place.collection.name] : found, '/v1/graphql');
    return groups.map((group) => readAggregate(group, query));
  },
};

interface AnsweredGroup {
  groupedBy?: { value?: string } | null;
  hits?: { _additional: { id: string; distance?: number } }[] | null;
}

function named({ collection, tenant }: CountPlace) {
  return { collection: collection.name, tenant };
}

async function getRows(place: QueryPlace, query: string, providerKeys = false): Promise<JsonRecord[]> {
  const { Get: found } = await place.client.graphqlData(query, place.signal, { providerKeys });
  return recordsOf(isRecord(found) ? found[place.collection.name] : found, '/v1/graphql');
}

function foundObject({ _additional: additional, ...properties }: JsonRecord): FoundObject {
  if (!isRecord(additional)) throw wrongAnswer('/v1/graphql');
  const [reranked] = (additional.rerank ?? []) as { score?: Json }[];
  const text = (value: Json | undefined) => (value === undefined || value === null ? null : String(value));
  return {
    object: { id: String(additional.id), properties: withBeacons(properties) },
    distance: measure(additional.distance),
    score: measure(additional.score),
    explainScore: text(additional.explainScore),
    rerankScore: measure(reranked?.score),
    changedAt: text(additional.lastUpdateTimeUnix),
  };
}

/** The server sends scores as text, with float32 precision. */
function measure(value: Json | undefined): number | null {
  return value === null || value === undefined ? null : float32ToNumber(Math.fround(Number(value)));
}

async function addVectors(place: QueryPlace, objects: WeaviateObject[]): Promise<void> {
  const ids = objects.map(({ id }) => id);
  const full = await place.readAll(ids, true);
  for (const [index, object] of objects.entries()) {
    object.vector = full[index]?.vector;
    object.vectors = full[index]?.vectors ?? null;
  }
}

/** GraphQL returns the object that a reference points to. The cell holds the beacon, as REST sends it. */
function withBeacons(properties: { [name: string]: Json }): { [name: string]: Json } {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(beacon) : value,
    ]),
  );
}

function beacon(value: Json): Json {
  if (!isRecord(value)) return value;
  const [collection, additional] = [ownValue(value, '__typename'), ownValue(value, '_additional')];
  if (!collection || !isRecord(additional)) return value;
  return { beacon: `weaviate://localhost/${String(collection)}/${String(additional.id)}` };
}
