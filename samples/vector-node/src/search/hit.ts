import type { StoredObject } from '../store/stored-object.ts';

/** A found object. A vector search sets `distance`, a keyword or hybrid search sets `score`. */
export interface Hit {
  object: StoredObject;
  distance?: number;
  certainty?: number;
  score?: number;
  explainScore?: string;
  /** For a search with `groupBy`: the group of this hit. */
  group?: HitGroup;
}

/** The best hits that have the same value of a property, best first. */
export interface HitGroup {
  id: number;
  path: string[];
  value: string;
  /** 0 after a keyword or hybrid search. */
  minDistance: number;
  maxDistance: number;
  hits: Hit[];
}
