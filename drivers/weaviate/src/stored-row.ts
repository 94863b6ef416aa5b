import type { Json } from '@trestle/driver-kit';
import type { WeaviateObject } from './cells.ts';
import type { CollectionReader } from './collection-reader.ts';
import { holdsOnly, holdsValues, holdsVectors } from './same-values.ts';
import { readSurely } from './sure-read.ts';
import type { WriteRequest } from './write-request.ts';

/** Whether a new row was stored under this id. */
export async function isStoredAs(
  reader: CollectionReader,
  id: string,
  requests: WriteRequest[],
): Promise<boolean> {
  const object = await readSurely(reader, id, { withVectors: sendsVectors(requests) });
  return object !== null && isSameRow(object, requests, reader);
}

/** Whether the object has the values and vectors of the new row. */
export function isSameRow(
  object: WeaviateObject,
  requests: WriteRequest[],
  { collection }: CollectionReader,
): boolean {
  return holdsOnly(object, setsOf(requests), collection) && holdsVectors(object, vectorsOf(requests));
}

/** Whether the object holds the values of an update. */
export function isUpdated(
  object: WeaviateObject,
  requests: WriteRequest[],
  { collection }: CollectionReader,
): boolean {
  return holdsValues(object, setsOf(requests), collection);
}

export function sendsVectors(requests: WriteRequest[]): boolean {
  return Object.keys(vectorsOf(requests)).length > 0;
}

function setsOf(requests: WriteRequest[]): { [name: string]: Json } {
  return Object.assign({}, ...requests.map(({ sets }) => sets));
}

/** The vectors that were sent. The key '' is the unnamed vector. */
function vectorsOf([insert]: WriteRequest[]): { [name: string]: Json } {
  const { vector, vectors } = (insert?.body ?? {}) as { vector?: Json; vectors?: { [name: string]: Json } };
  return { ...vectors, ...(vector !== undefined && { '': vector }) };
}
