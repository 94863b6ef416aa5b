import type { StoredObject } from '../store/stored-object.ts';

/** An object that was found, with what the search says about it. */
export interface Hit {
  object: StoredObject;
  distance?: number;
  certainty?: number;
  score?: number;
  explainScore?: string;
}
