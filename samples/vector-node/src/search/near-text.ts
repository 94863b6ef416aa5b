import type { VectorSpace } from '../definition.ts';
import { unprocessable } from '../errors.ts';
import { readBeacon } from '../store/beacon.ts';
import type { Database } from '../store/database.ts';
import { findTarget } from '../store/references.ts';
import type { TargetsInput } from './join-targets.ts';

interface Movement {
  concepts?: string[];
  force?: number;
  objects?: { id?: string; beacon?: string }[];
}

export interface NearText {
  concepts?: string[];
  distance?: number;
  certainty?: number;
  moveTo?: Movement;
  moveAwayFrom?: Movement;
  targetVectors?: string[];
  targets?: TargetsInput;
}

/** The vector of the concepts, moved by `moveTo` and `moveAwayFrom`. */
export function textVector(
  asked: NearText,
  space: VectorSpace,
  at: { database: Database; className: string },
): number[] {
  const concepts = asked.concepts ?? [];
  if (concepts.length === 0) throw unprocessable("'nearText.concepts' must have at least one element");
  let vector = mean(concepts.map((concept) => Array.from(at.database.embed(concept))));
  for (const [movement, sign] of [
    [asked.moveTo, 1],
    [asked.moveAwayFrom, -1],
  ] as const) {
    const target = movement && movementTarget(movement, space, at);
    const weight = ((movement?.force ?? 0) / 2) * sign;
    if (target) vector = vector.map((value, index) => value * (1 - weight) + (target[index] ?? 0) * weight);
  }
  return vector;
}

function movementTarget(
  movement: Movement,
  space: VectorSpace,
  { database, className }: { database: Database; className: string },
): number[] | null {
  const words = (movement.concepts ?? []).map((concept) => Array.from(database.embed(concept)));
  const objects = (movement.objects ?? []).flatMap((one) => {
    const target = one.beacon ? readBeacon(one.beacon) : one.id ? { id: one.id.toLowerCase() } : null;
    const found = target && findTarget(database, target.className ?? className, target.id);
    const vector = found?.vectors.get(space.name);
    return vector ? [[...vector]] : [];
  });
  const all = [...words, ...objects];
  return all.length === 0 ? null : mean(all);
}

function mean(vectors: number[][]): number[] {
  const [first = []] = vectors;
  return first.map(
    (_, index) => vectors.reduce((sum, vector) => sum + (vector[index] ?? 0), 0) / vectors.length,
  );
}
