/** Why a search found a row, in the database's own figures. */
export interface SearchExplanation {
  /**
   * The words of the search text that the row contains. Empty if the keyword search found other rows of the page, but
   * not this one. Undefined if it found no row of the page, or if there was no keyword search.
   */
  terms?: SearchTerm[];
  /** Hybrid: the part of the row's score from the keyword search. Undefined if that search did not find the row. */
  keyword?: ScorePart;
  /** Like `keyword`, for the vector search. */
  vector?: ScorePart;
}

export interface SearchTerm {
  term: string;
  /** How often the word occurs in the row. Older servers multiply this number by the weight of the column. */
  count: number;
  /** The number of words in the row's text. The same count weighs less in a longer text. */
  length?: number;
}

export interface ScorePart {
  /** The keyword share and the vector share add up to the row's score. */
  share: number;
  /** The score of the keyword or vector search, before scaling. */
  score?: number;
}
