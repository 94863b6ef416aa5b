import { float32ToNumber } from '@trestle/driver-kit';
import type { StoredVector } from '../../cells.ts';
import type { FoundObject } from '../model/objects.ts';
import { readProperties, vectorOf } from './read-values.ts';
import { WireReader } from './wire.ts';

/** An object of a reply, and the ids that each of its references points to. */
export interface ReadResult {
  found: FoundObject;
  references: { name: string; ids: string[] }[];
}

/** The results of a message `SearchReply`. Throws a RangeError if it is damaged. */
export function readResults(bytes: Buffer): ReadResult[] {
  const reply = new WireReader(bytes);
  const results: ReadResult[] = [];
  for (let field = reply.next(); field; field = reply.next()) {
    if (field === 2) results.push(readResult(reply.message()));
    else reply.skip();
  }
  return results;
}

function readResult(result: WireReader): ReadResult {
  let properties: FoundObject['object']['properties'] = {};
  let references: ReadResult['references'] = [];
  let metadata: Metadata = {};
  for (let field = result.next(); field; field = result.next()) {
    if (field === 1) ({ properties, references } = readMembers(result.message()));
    else if (field === 2) metadata = readMetadata(result.message());
    else result.skip();
  }
  const { id = '', vector, vectors, distance, score, explainScore, rerankScore, changedAt } = metadata;
  return {
    found: {
      object: { id, properties, ...(vector && { vector }), ...(vectors && { vectors }) },
      distance: distance ?? null,
      score: score ?? null,
      explainScore: explainScore ?? null,
      rerankScore: rerankScore ?? null,
      changedAt: changedAt ?? null,
    },
    references,
  };
}

/** A message `PropertiesResult`. */
function readMembers(members: WireReader) {
  let properties: FoundObject['object']['properties'] = {};
  const references: ReadResult['references'] = [];
  for (let field = members.next(); field; field = members.next()) {
    if (field === 11) properties = readProperties(members.message());
    else if (field === 2) references.push(readReference(members.message()));
    else members.skip();
  }
  return { properties, references };
}

function readReference(reference: WireReader): ReadResult['references'][number] {
  let name = '';
  const ids: string[] = [];
  for (let field = reference.next(); field; field = reference.next()) {
    if (field === 1) ids.push(readTarget(reference.message()));
    else if (field === 2) name = reference.text();
    else reference.skip();
  }
  return { name, ids };
}

/** The message `PropertiesResult` of an object that a reference points to. */
function readTarget(target: WireReader): string {
  let id = '';
  for (let field = target.next(); field; field = target.next()) {
    if (field === 4) id = readMetadata(target.message()).id ?? '';
    else target.skip();
  }
  return id;
}

interface Metadata {
  id?: string;
  vector?: StoredVector;
  vectors?: { [name: string]: StoredVector };
  distance?: number;
  score?: number;
  explainScore?: string;
  rerankScore?: number;
  changedAt?: string;
}

/**
 * A message `MetadataResult`. A number counts only if its mark says so, for example `distance` (7) by
 * `distance_present` (8). `score_present` is true for every kind of read. A caller that did not request the score does
 * not use it.
 */
function readMetadata(metadata: WireReader): Metadata {
  const numbers: Partial<Record<number, number>> = {};
  const marks = new Set<number>();
  const found: Metadata = {};
  let explained = '';
  for (let field = metadata.next(); field; field = metadata.next()) {
    if (field === 1) found.id = metadata.text();
    else if (field === 5) numbers[field] = metadata.int64();
    else if (field === 7 || field === 11) numbers[field] = metadata.float();
    else if (field === 13) explained = metadata.text();
    else if (field === 19) found.vector = vectorOf(metadata.bytes(), 0);
    else if (field === 21) numbers[field] = metadata.double();
    else if (field === 23) addVector(found, metadata.message());
    else if (markFields.has(field)) {
      if (metadata.bool()) marks.add(field);
    } else metadata.skip();
  }
  if (marks.has(6)) found.changedAt = String(numbers[5] ?? 0);
  if (marks.has(8)) setMeasure(found, 'distance', numbers[7]);
  if (marks.has(12)) setMeasure(found, 'score', numbers[11]);
  if (marks.has(14)) found.explainScore = explained;
  if (marks.has(22)) setMeasure(found, 'rerankScore', numbers[21]);
  return found;
}

const markFields = new Set([6, 8, 12, 14, 22]);

/** The distance to a vector of zeros is NaN. */
function setMeasure(found: Metadata, name: 'distance' | 'score' | 'rerankScore', value = 0): void {
  if (Number.isFinite(value)) found[name] = float32ToNumber(Math.fround(value));
}

/** A message `Vectors`. The unnamed vector has its own field. */
function addVector(found: Metadata, vector: WireReader): void {
  let name = '';
  let bytes = Buffer.alloc(0);
  let type = 0;
  for (let field = vector.next(); field; field = vector.next()) {
    if (field === 1) name = vector.text();
    else if (field === 3) bytes = vector.bytes() as typeof bytes;
    else if (field === 4) type = vector.varint();
    else vector.skip();
  }
  if (name === '') return;
  const vectors = found.vectors ?? {};
  Object.defineProperty(vectors, name, {
    value: vectorOf(bytes, type),
    enumerable: true,
    configurable: true,
  });
  found.vectors = vectors;
}
