import type { TableDescription } from '@trestle/driver-kit';
import type { Distance } from '@trestle/driver-kit/nearest';
import { searchRefusal } from '../search-bar/index.ts';

/** A column of vectors, or of values that the driver reads as vectors. */
export interface VectorChoice {
  column: string;
  /** How Trestle itself compares the vectors of this column. Defaults to cosine. */
  distance: Distance;
  /** The vector's name in a search, if it has one. */
  target?: string;
}

export function vectorChoices({ columns, searches }: TableDescription): VectorChoice[] {
  const targets = searches?.targetVectors ?? [];
  return columns
    .filter(({ type, vector, hidden }) => (type === 'vector' || vector !== undefined) && !hidden)
    .map(({ name, vector }) => {
      const target = targets.find((one) => name === one || name.endsWith(`: ${one}`));
      const distance = vector?.distance ?? 'cosine';
      return { column: name, distance, ...(target !== undefined && { target }) };
    });
}

/** Whether the database itself finds the rows near a row. Otherwise Trestle compares the vectors. */
export function hasIndex({ searches, key }: TableDescription, canSearch: boolean): boolean {
  return (
    canSearch &&
    searches !== undefined &&
    key.length === 1 &&
    searchRefusal(searches, 'near_object') === undefined
  );
}
