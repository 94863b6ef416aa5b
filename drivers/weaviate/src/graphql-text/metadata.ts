import { float32ToNumber, type Json, ownValue } from '@trestle/driver-kit';
import type { MessageInitShape, MetadataRequestSchema, MetadataResult } from '@trestle/weaviate-connect';
import type { StoredVector } from '../cells.ts';
import { assertNoArguments, type Selected } from './read-fields.ts';
import { vectorOf } from './read-values.ts';
import { mistake, noCounterpart } from './refusal.ts';

export type MetadataInit = Exclude<MessageInitShape<typeof MetadataRequestSchema>, { $typeName: string }>;

/** Members of `_additional` that are facts about one object. */
const facts: { [name: string]: MetadataInit } = {
  id: { uuid: true },
  vector: { vector: true },
  creationTimeUnix: { creationTimeUnix: true },
  lastUpdateTimeUnix: { lastUpdateTimeUnix: true },
  distance: { distance: true },
  certainty: { certainty: true },
  score: { score: true },
  explainScore: { explainScore: true },
  isConsistent: { isConsistent: true },
};

/** Members that the caller reads itself, such as `group`. */
export function metadataOf(additional: Selected[], handled: string[] = []): MetadataInit {
  const found: MetadataInit = {};
  for (const one of additional) {
    assertNoArguments(one);
    for (const member of one.fields) {
      if (!handled.includes(member.name)) addMember(found, member);
    }
  }
  return found;
}

function addMember(found: MetadataInit, member: Selected): void {
  const { name, fields } = member;
  assertNoArguments(member);
  if (name === 'vectors') {
    fields.forEach(assertNoArguments);
    found.vectors = [...new Set([...(found.vectors ?? []), ...fields.map((one) => one.name)])];
  } else if (!Object.hasOwn(facts, name)) {
    throw noCounterpart(`_additional { ${name} }`);
  } else if (fields.length > 0) {
    throw mistake(`_additional { ${name} } has no members`);
  } else Object.assign(found, facts[name]);
}

/** A member as GraphQL writes it. Undefined for a member that is no fact about the object. */
export function factOf({ name, fields }: Selected, metadata: MetadataResult): Json | undefined {
  switch (name) {
    case 'id':
      return metadata.id;
    case 'creationTimeUnix':
      return metadata.creationTimeUnixPresent ? String(metadata.creationTimeUnix) : null;
    case 'lastUpdateTimeUnix':
      return metadata.lastUpdateTimeUnixPresent ? String(metadata.lastUpdateTimeUnix) : null;
    case 'distance':
      return metadata.distancePresent ? shortest(metadata.distance) : null;
    case 'certainty':
      return metadata.certaintyPresent ? shortest(metadata.certainty) : null;
    case 'score':
      return String(shortest(metadata.score));
    case 'explainScore':
      return metadata.explainScore;
    case 'isConsistent':
      return metadata.isConsistentPresent ? (metadata.isConsistent ?? null) : null;
    case 'vector':
      return plainVector(vectorOf({ vectorBytes: metadata.vectorBytes, type: 0 }));
    case 'vectors': {
      const vectors = Object.fromEntries(
        metadata.vectors.map((one) => [one.name, plainVector(vectorOf(one))]),
      );
      return Object.fromEntries(fields.map((one) => [one.key, ownValue(vectors, one.name) ?? null]));
    }
  }
  return undefined;
}

/** JSON has no NaN: the distance to a vector of zeros. */
function shortest(value: number): number | null {
  return Number.isFinite(value) ? float32ToNumber(Math.fround(value)) : null;
}

export function plainVector(vector: StoredVector): Json {
  return vector instanceof Float32Array ? Array.from(vector, float32ToNumber) : vector;
}
