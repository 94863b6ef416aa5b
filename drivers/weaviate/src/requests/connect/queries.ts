import { float32ToNumber } from '@trestle/driver-kit';
import {
  AggregateRequestSchema,
  connectPath,
  create,
  type MetadataResult,
  type SearchReply,
  type SearchRequest,
  type SearchResult,
} from '@trestle/weaviate-connect';
import { wrongAnswer } from '../../answer-shape.ts';
import type { WeaviateObject } from '../../cells.ts';
import type { CountPlace, FoundObject, ObjectQueries, QueryPlace } from '../model/objects.ts';
import { idsIn } from '../model/where.ts';
import { addReferences } from './add-references.ts';
import { rereadOverflow } from './overflow.ts';
import { propertiesOf, vectorOf } from './read-values.ts';
import { send } from './send.ts';
import { filtersMessage } from './write-filters.ts';
import { groupsMessage, objectsMessage } from './write-search.ts';

/** Objects, groups and counts over Connect. */
export const connectQueries: ObjectQueries = {
  async find(place, request) {
    const { results } = await search(place, objectsMessage(request, named(place)), request.providerKeys);
    const found = results.map(foundObject);
    const paired = found.map(({ object }, index) => ({ object, result: results[index]! }));
    await addReferences(place, paired, request.properties, async (properties, ids, round) => {
      const asked = { properties, where: idsIn(ids), limit: ids.length };
      return (await search(place, objectsMessage(asked, named(place), round))).results;
    });
    await rereadOverflow(
      place,
      found.map(({ object }) => object),
      request.properties,
    );
    return found;
  },

  async findGroups(place, request) {
    const reply = await search(place, groupsMessage(request, named(place)), request.providerKeys);
    return reply.groupByResults.map(({ name, objects }) => ({
      value: name,
      hits: objects.map((hit) => {
        const metadata = metadataOf(hit);
        return { id: metadata.id, distance: measure(metadata.distance, metadata.distancePresent) };
      }),
    }));
  },

  async count(place, where) {
    const { result } = await send(
      place.client,
      'Aggregate',
      create(AggregateRequestSchema, {
        collection: place.collection.name,
        tenant: place.tenant ?? '',
        // Without it, the answer is 0.
        objectsCount: true,
        ...(where && { filters: filtersMessage(where) }),
      }),
      { signal: place.signal },
    );
    const count = result.case === 'singleResult' ? result.value.objectsCount : undefined;
    // A missing count must not be shown as 0.
    if (count === undefined) throw wrongAnswer(connectPath('Aggregate'));
    return Number(count);
  },
};

function named({ collection, tenant }: CountPlace) {
  return { collection: collection.name, tenant };
}

function search(place: QueryPlace, message: SearchRequest, providerKeys = false): Promise<SearchReply> {
  return send(place.client, 'Search', message, { signal: place.signal, providerKeys });
}

function foundObject(result: SearchResult): FoundObject {
  const metadata = metadataOf(result);
  return {
    object: {
      id: metadata.id,
      properties: result.properties?.nonRefProps ? propertiesOf(result.properties.nonRefProps) : {},
      ...vectorsOf(metadata),
    },
    distance: measure(metadata.distance, metadata.distancePresent),
    // `scorePresent` is true for every kind of read. A caller that did not request the score does not use it.
    score: measure(metadata.score, metadata.scorePresent),
    explainScore: metadata.explainScorePresent ? metadata.explainScore : null,
    rerankScore: measure(metadata.rerankScore, metadata.rerankScorePresent),
    changedAt: metadata.lastUpdateTimeUnixPresent ? String(metadata.lastUpdateTimeUnix) : null,
  };
}

function metadataOf({ metadata }: SearchResult): MetadataResult {
  if (!metadata?.id) throw wrongAnswer(connectPath('Search'));
  return metadata;
}

/** The distance to a vector of zeros is NaN. */
function measure(value: number, isPresent: boolean): number | null {
  return isPresent && Number.isFinite(value) ? float32ToNumber(Math.fround(value)) : null;
}

function vectorsOf({ vectorBytes, vectors }: MetadataResult): Pick<WeaviateObject, 'vector' | 'vectors'> {
  const named = vectors.filter(({ name }) => name !== '');
  return {
    ...(vectorBytes.length > 0 && { vector: vectorOf({ vectorBytes, type: 0 }) }),
    ...(named.length > 0 && {
      vectors: Object.fromEntries(named.map((one) => [one.name, vectorOf(one)])),
    }),
  };
}
