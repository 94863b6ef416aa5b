import { type ClassDefinition, type VectorSpace, vectorSpaces } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { certaintyOf, distanceBetween } from './distance.ts';
import type { Hit } from './hit.ts';
import { joinOf, type TargetsInput } from './join-targets.ts';

export interface Bounds {
  distance?: number;
  certainty?: number;
}

const search = 'explorer: get class: concurrentTargetVectorSearch): explorer: get class:';

/** The vector spaces that a search uses. If the collection has several, the search must name one or more of them. */
export function targetSpaces(definition: ClassDefinition, targets: string[] | undefined): VectorSpace[] {
  const spaces = vectorSpaces(definition);
  if (!targets || targets.length === 0) {
    if (spaces.length === 1) return spaces;
    throw unprocessable(
      'explorer: get class: validate target vector: multiple vectorizers configuration found, please specify target vector name',
    );
  }
  return targets.map((name) => {
    const space = spaces.find((one) => definition.vectorConfig && one.name === name);
    if (space) return space;
    throw unprocessable(
      `${search} vector search: object vector search at index ${definition.class.toLowerCase()}: index for target vector "${name}" not found`,
    );
  });
}

/** Nearest first. With several target vectors the smallest distance counts, unless `join` says otherwise. */
export function nearest(
  objects: StoredObject[],
  targets: { space: VectorSpace; vector: readonly number[] }[],
  { distance: limit, certainty: least, join: joined }: Bounds & { join?: TargetsInput | undefined },
): Hit[] {
  if (limit !== undefined && least !== undefined) {
    throw unprocessable('failed to extract search params: cannot provide distance and certainty');
  }
  const hits: (Hit & { distance: number })[] = [];
  const all = objects.map((object) => distancesTo(object, targets));
  const join = joinOf(joined, all);
  for (const [index, object] of objects.entries()) {
    const distance = join(all[index] ?? []);
    if (distance === null) continue;
    const isCosine = targets.every(({ space }) => space.distance === 'cosine');
    const certainty = isCosine ? certaintyOf(distance) : undefined;
    if (limit !== undefined && distance > limit) continue;
    if (least !== undefined && (certainty ?? 0) < least) continue;
    hits.push({ object, distance, ...(certainty !== undefined && { certainty }) });
  }
  return hits.sort((a, b) => a.distance - b.distance);
}

function distancesTo(
  object: StoredObject,
  targets: { space: VectorSpace; vector: readonly number[] }[],
): (number | null)[] {
  return targets.map(({ space, vector }) => {
    const own = object.vectors.get(space.name);
    if (!own) return null;
    if (own.length !== vector.length) {
      throw unprocessable(
        `${search} vector search: object vector search at index ${object.className.toLowerCase()}: vector search: knn search: distance between entrypoint and query node: ${own.length} vs ${vector.length}: vector lengths don't match`,
      );
    }
    return distanceBetween(space.distance, vector, own);
  });
}
