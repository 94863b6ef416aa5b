import { randomUUID } from 'node:crypto';
import { type ChangeOutcome, driverErrorDetails, type Insert, type Json } from '@trestle/driver-kit';
import { bodyText } from './body-text.ts';
import type { CollectionReader } from './collection-reader.ts';
import { objectOf, typedId } from './write-request.ts';

/** A new row as it is sent in a batch. */
export interface NewObject {
  change: Insert;
  id: string;
  text: string;
}

/** The most characters of one batch. A larger object is sent alone. */
const mostCharacters = 4 * 1024 * 1024;

/**
 * Divides the rows into rounds, and each round into batches, in the order of the rows. The caller ends a round before
 * it begins the next. A second row with the same id is in a later round, so the caller can check first whether the id
 * is already stored. `onRefused` gets the outcome of a row that cannot be sent.
 */
export function batchesOf(
  reader: CollectionReader,
  changes: Insert[],
  { rows, onRefused }: { rows: number; onRefused(outcome: ChangeOutcome): void },
): NewObject[][][] {
  const seen = new Map<string, number>();
  const rounds: NewObject[][] = [];
  for (const change of changes) {
    try {
      const id = typedId(change.values.uuid) ?? randomUUID();
      const object = { ...(objectOf(reader, change) as { [name: string]: Json }), id };
      const round = seen.get(id) ?? 0;
      seen.set(id, round + 1);
      rounds[round] ??= [];
      rounds[round].push({ change, id, text: bodyText(object) });
    } catch (error) {
      onRefused({ id: change.id, status: 'failed', error: driverErrorDetails(error) });
    }
  }
  return rounds.map((objects) => cut(objects, rows));
}

function cut(objects: NewObject[], rows: number): NewObject[][] {
  const batches: NewObject[][] = [];
  let characters = 0;
  for (const object of objects) {
    const last = batches.at(-1);
    characters += object.text.length;
    if (last && last.length < rows && characters <= mostCharacters) last.push(object);
    else {
      batches.push([object]);
      characters = object.text.length;
    }
  }
  return batches;
}
