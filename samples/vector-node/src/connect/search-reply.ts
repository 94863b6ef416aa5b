import {
  create,
  type MessageInitShape,
  type MetadataRequest,
  type MetadataResultSchema,
  type SearchReply,
  SearchReplySchema,
  type SearchRequest,
  Vectors_VectorType as VectorType,
} from '@trestle/weaviate-connect';
import { type ClassDefinition, findProperty, unnamedVector } from '../definition.ts';
import type { Hit } from '../search/hit.ts';
import type { Database } from '../store/database.ts';
import { selectProperties } from './properties.ts';

/** The hits of `runGet` as a message. `hits` runs after the check of the selection, as in Weaviate. */
export function searchReply(
  request: SearchRequest,
  { definition, database, hits }: { definition: ClassDefinition; database: Database; hits: () => Hit[] },
): SearchReply {
  const { metadata, groupBy } = request;
  const select = selectProperties(request.properties, definition, { database, metadataOf });
  if (!groupBy) {
    const results = hits().map((hit) => ({
      properties: select(hit.object),
      metadata: metadataOf(hit, metadata, definition),
    }));
    return create(SearchReplySchema, { results, ...empty });
  }
  const property = findProperty(definition, groupBy.path[0] ?? '');
  const groupByResults = hits()
    .flatMap(({ group }) => group ?? [])
    .map(({ value, minDistance, maxDistance, hits: members }) => ({
      name: value,
      minDistance,
      maxDistance,
      numberOfObjects: BigInt(members.length),
      objects: members.map(({ object, distance = 0 }) => ({
        properties: select(object, property),
        metadata: metadataOf({ object, distance }, memberMetadata(metadata), definition),
      })),
    }));
  return create(SearchReplySchema, { groupByResults, ...empty });
}

/** Weaviate sends this text even if it is empty. */
const empty = { generativeGroupedResult: '' };

/** A member of a group has no scores and no times. */
function memberMetadata(asked: MetadataRequest | undefined): MetadataRequest | undefined {
  if (!asked) return undefined;
  const none = { score: false, explainScore: false, certainty: false };
  return { ...asked, ...none, creationTimeUnix: false, lastUpdateTimeUnix: false };
}

type MetadataInit = MessageInitShape<typeof MetadataResultSchema>;

/** A score is marked as present wherever it was requested, even if the search has none. */
export function metadataOf(
  { object, distance, certainty, score, explainScore }: Hit,
  asked: MetadataRequest | undefined,
  definition: ClassDefinition,
): MetadataInit {
  if (!asked) return {};
  return {
    ...(asked.uuid && {
      id: object.id,
      idAsBytes: new Uint8Array(Buffer.from(object.id.replaceAll('-', ''), 'hex')),
    }),
    ...(asked.creationTimeUnix && {
      creationTimeUnix: BigInt(object.createdAt),
      creationTimeUnixPresent: true,
    }),
    ...(asked.lastUpdateTimeUnix && {
      lastUpdateTimeUnix: BigInt(object.updatedAt),
      lastUpdateTimeUnixPresent: true,
    }),
    ...(asked.distance && distance !== undefined && { distance, distancePresent: true }),
    ...(asked.certainty && certainty !== undefined && { certainty, certaintyPresent: true }),
    ...(asked.score && { score: score ?? 0, scorePresent: true }),
    ...(asked.explainScore && { explainScore: explainScore ?? '', explainScorePresent: true }),
    ...vectorsOf(object.vectors, asked, definition),
  };
}

function vectorsOf(
  vectors: ReadonlyMap<string, readonly number[]>,
  { vector, vectors: names }: MetadataRequest,
  { vectorConfig }: ClassDefinition,
): MetadataInit {
  const unnamed = vectorConfig ? undefined : vectors.get(unnamedVector);
  const wanted = vectorConfig ? [...vectors].filter(([name]) => vector || names.includes(name)) : [];
  return {
    ...(vector && unnamed && { vector: [...unnamed], vectorBytes: floatBytes(unnamed) }),
    vectors: wanted.map(([name, one]) => ({
      name,
      vectorBytes: floatBytes(one),
      type: VectorType.SINGLE_FP32,
    })),
  };
}

function floatBytes(vector: readonly number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new Float32Array(vector).buffer);
}
