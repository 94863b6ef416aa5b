import { float32ToNumber } from '@trestle/driver-kit';
import {
  AggregateReplySchema,
  AggregateRequestSchema,
  connectPath,
  create,
  fromBinary,
  SearchReplySchema,
  type SearchRequest,
} from '@trestle/weaviate-connect';
import { wrongAnswer } from '../../answer-shape.ts';
import type { CountPlace, ObjectQueries, QueryPlace } from '../model/objects.ts';
import { idsIn } from '../model/where.ts';
import { addReferences } from './add-references.ts';
import { aggregateMessage, readAggregate } from './aggregate.ts';
import { rereadOverflow } from './overflow.ts';
import { type ReadResult, readResults } from './read-results.ts';
import { send } from './send.ts';
import { filtersMessage } from './write-filters.ts';
import { groupsMessage, objectsMessage } from './write-search.ts';

/** Objects, groups and counts over Connect. */
export const connectQueries: ObjectQueries = {
  async find(place, request) {
    const { properties, providerKeys } = request;
    const results = await resultsOf(place, objectsMessage(request, named(place)), providerKeys);
    await addReferences(place, results, properties, (references, ids, round) => {
      const asked = { properties: references, where: idsIn(ids), limit: ids.length };
      return resultsOf(place, objectsMessage(asked, named(place), round));
    });
    const found = results.map((result) => result.found);
    await rereadOverflow(
      place,
      found.map(({ object }) => object),
      properties,
    );
    return found;
  },

  async readVectors(place, ids, vectors) {
    const asked = { properties: [], where: idsIn(ids), limit: ids.length, vectors };
    const results = await resultsOf(place, objectsMessage(asked, named(place)));
    return results.map(({ found }) => found.object);
  },

  // REST writes vectors as decimals: 1,000 vectors of 1,536 floats take it 3 to 8 times as long.
  readsVectorsFast: async () => true,

  async findGroups(place, request) {
    const { groupByResults } = await send({
      ...{ client: place.client, signal: place.signal, providerKeys: request.providerKeys ?? false },
      method: 'Search',
      message: groupsMessage(request, named(place)),
      read: (bytes) => fromBinary(SearchReplySchema, bytes),
    });
    return groupByResults.map(({ name, objects }) => ({
      value: name,
      hits: objects.map(({ metadata }) => {
        if (!metadata?.id) throw wrongAnswer(connectPath('Search'));
        const { id, distance, distancePresent } = metadata;
        const isKnown = distancePresent && Number.isFinite(distance);
        return { id, distance: isKnown ? float32ToNumber(distance) : null };
      }),
    }));
  },

  async count(place, where) {
    const message = create(AggregateRequestSchema, {
      collection: place.collection.name,
      tenant: place.tenant ?? '',
      // Without it, the answer is 0.
      objectsCount: true,
      ...(where && { filters: filtersMessage(where) }),
    });
    const { client, signal } = place;
    const read = (bytes: Buffer) => fromBinary(AggregateReplySchema, bytes);
    const { result } = await send({ client, signal, method: 'Aggregate', message, read });
    const count = result.case === 'singleResult' ? result.value.objectsCount : undefined;
    // A missing count must not be shown as 0. A message that was cut between two fields is a whole message.
    if (count === undefined) throw client.damaged('');
    return Number(count);
  },

  async aggregate({ client, signal, ...place }, query) {
    const message = aggregateMessage(query, named(place));
    const read = (bytes: Buffer) => fromBinary(AggregateReplySchema, bytes);
    const { result } = await send({ client, signal, method: 'Aggregate', message, read });
    return readAggregate(result, query);
  },
};

function named({ collection, tenant }: Pick<CountPlace, 'collection' | 'tenant'>) {
  return { collection: collection.name, tenant };
}

async function resultsOf(
  { client, signal }: QueryPlace,
  message: SearchRequest,
  providerKeys = false,
): Promise<ReadResult[]> {
  const results = await send({ client, signal, providerKeys, method: 'Search', message, read: readResults });
  if (results.some(({ found }) => found.object.id === '')) throw wrongAnswer(connectPath('Search'));
  return results;
}
