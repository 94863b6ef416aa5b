import type { StoredObject } from '../store/stored-object.ts';

/** A found object, with the figures of the search. */
export interface Hit {
  object: StoredObject;
  distance?: number;
  certainty?: number;
  score?: number;
  explainScore?: string;
  /** For a search with `groupBy`: the group of this hit. */
  group?: HitGroup;
}

/** The best hits with one value of a property, best first. */
export interface HitGroup {
  id: number;
  path: string[];
  value: string;
  hits: Hit[];
}
