/** Why a search found a row. The driver reports only what it can check. */
export interface SearchExplanation {
  /**
   * The words of the search text that are in the row, one entry for each column that has them, in the order of the
   * search text. Undefined if there was no keyword search. Empty if the keyword search did not find the row.
   */
  terms?: SearchTerm[];
  /** The searched columns whose words the driver cannot know. */
  unknown?: string[];
  /** Hybrid: the part of the row's score from the keyword search. Undefined if that search did not find the row. */
  keyword?: ScorePart;
  /** Like `keyword`, for the vector search. */
  vector?: ScorePart;
}

export interface SearchTerm {
  /** As the database compares it, for example without upper case. A filter `equals` with it finds the rows that have it. */
  term: string;
  column: string;
  /** How often the column of the row has it. */
  count: number;
}

export interface ScorePart {
  /** The keyword share and the vector share add up to the row's score. */
  share: number;
  /** The score of the keyword or vector search, before scaling. */
  score?: number;
}
