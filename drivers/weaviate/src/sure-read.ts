import { DriverError } from '@trestle/driver-kit';
import { isRecord, wrongAnswer } from './answer-shape.ts';
import type { WeaviateObject } from './cells.ts';
import { type CollectionReader, objectPath } from './collection-reader.ts';
import { failureOfAnswer } from './failure.ts';

/**
 * The object, or null if it certainly does not exist. Throws if it stays unclear whether the object exists. One 404
 * proves nothing: a proxy may send it, or a cluster node that has not read its data yet. So null also requires that a
 * list of the collection lacks the object, and that no replica has it.
 */
export async function readSurely(
  reader: CollectionReader,
  id: string,
  { withVectors = false } = {},
): Promise<WeaviateObject | null> {
  const found = await readOnce(reader, id, { withVectors });
  if (found) return found;
  if (isReplicated(reader)) {
    const elsewhere = await readOnce(reader, id, { withVectors, consistency: 'ALL' });
    if (elsewhere) return elsewhere;
  }
  const [first] = await reader.list({ limit: 1, after: uuidBefore(id), withVectors });
  return first?.id === id ? first : null;
}

/** Null if the answer is a 404 without a body. */
async function readOnce(
  reader: CollectionReader,
  id: string,
  { withVectors, consistency }: { withVectors: boolean; consistency?: 'ALL' },
): Promise<WeaviateObject | null> {
  const path = objectPath(reader.collection, id);
  const answer = await reader.client.send({
    method: 'GET',
    path,
    query: {
      tenant: reader.tenant,
      consistency_level: consistency,
      include: withVectors ? 'vector' : undefined,
    },
    ceiling: 'read',
    signal: reader.signal,
  });
  // Weaviate's 404 for an object has no body. A 404 with a body comes from a proxy, or means that the route
  // is unknown.
  if (answer.status === 404 && answer.body.trim() === '') return null;
  if (answer.status === 404) {
    throw new DriverError({
      code: 'connection_failed',
      message: `HTTP 404 for ${path} may come from a proxy`,
    });
  }
  if (answer.status < 200 || answer.status > 299) throw failureOfAnswer(answer, path);
  const object = reader.client.parse(answer.body);
  if (!isRecord(object) || typeof object.id !== 'string') throw wrongAnswer(path);
  return object as unknown as WeaviateObject;
}

export function isReplicated({ collection: { definition } }: CollectionReader): boolean {
  const { replicationConfig } = definition as { replicationConfig?: { factor?: number } | null };
  return (replicationConfig?.factor ?? 1) > 1;
}

/**
 * The uuid just before the given one, for the `after` of a list: if the object with the given uuid exists, it is the
 * first in that list. Empty for the lowest uuid.
 */
export function uuidBefore(id: string): string {
  const number = BigInt(`0x${id.replaceAll('-', '')}`);
  if (number === 0n) return '';
  const hex = (number - 1n).toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
