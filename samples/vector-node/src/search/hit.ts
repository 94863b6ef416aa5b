import type { StoredObject } from '../store/stored-object.ts';
import type { HitGroup } from './group.ts';

/** An object that was found, with what the search says about it. */
export interface Hit {
  object: StoredObject;
  distance?: number;
  certainty?: number;
  score?: number;
  explainScore?: string;
  /** Of a search with `groupBy`: the group this hit stands for. */
  group?: HitGroup;
}
