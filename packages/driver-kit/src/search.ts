import type { Outbound } from './outbound.ts';
import type { CountRequest } from './row-requests.ts';

export type SearchMode = 'near_text' | 'near_vector' | 'near_object' | 'keyword' | 'hybrid';

export interface SearchSupport {
  /** All modes. Those that do not run on this table have a `refusal`: the reason. */
  modes: { mode: SearchMode; refusal?: string }[];
  targetVectors: string[];
  /**
   * Vectors that the user provides, since no module makes them. '' is the unnamed vector. `near_text` does not run
   * on these vectors. `hybrid` needs a vector with the text, unless `alpha` is 0.
   */
  broughtVectors?: string[];
  options?: SearchOptions;
}

/** The settings of a search beyond its mode. The app does not offer a setting that is undefined here. */
export interface SearchOptions {
  /** How hybrid search combines its two rankings. The first is the default. */
  fusions?: SearchChoice[];
  /** The modes that can stop at a jump in score or distance. */
  autocut?: SearchMode[];
  /** The modes that can exclude rows beyond a distance. */
  maxDistance?: SearchMode[];
  /** The columns that keyword and hybrid search use. Each can have an integer weight of 1 or more. */
  keywordColumns?: string[];
  /** Keyword and hybrid search can require every word of the text. */
  allWords?: boolean;
  /** How the distances to several target vectors are combined into one. The first is the default. */
  joins?: (SearchChoice & { weighted?: boolean })[];
  groupBy?: { columns: string[]; refusal?: string };
  rerank?: { columns: string[]; refusal?: string };
}

export interface SearchChoice {
  name: string;
  label: string;
}

export const defaultAlpha = 0.75;

export interface SearchRequest extends CountRequest, SearchSettings {
  mode: SearchMode;
  text?: string;
  vector?: number[];
  objectId?: string;
  /** Hybrid: 0 is keyword only, 1 is vector only. Without it, `defaultAlpha`. */
  alpha?: number;
  targetVector?: string;
  columns?: string[];
  limit: number;
  /** Explain why each row was found. May need a second request. */
  explain?: boolean;
  outbound?: Outbound;
}

/** Values for the settings in `SearchOptions`. */
export interface SearchSettings {
  /** A name from `SearchOptions.fusions`. */
  fusion?: string;
  /** 1: stop before the first jump in score or distance. 2: before the second, and so on. */
  autocut?: number;
  maxDistance?: number;
  /** The default is every column of `SearchOptions.keywordColumns`, with weight 1. */
  keywordColumns?: { column: string; weight: number }[];
  allWords?: boolean;
  /** Several target vectors instead of `targetVector`. `join` is a name from `SearchOptions.joins`. */
  targets?: { join: string; vectors: { name: string; weight?: number }[] };
  groupBy?: { column: string; groups: number; rowsPerGroup: number };
  /** `text` defaults to the text of the search. */
  rerank?: { column: string; text?: string };
}
