/** A query with its marked rows. */
export interface JudgedQuery {
  text: string;
  /** Keys of rows, as text. */
  right: string[];
  wrong: string[];
}

/** Queries that are judged together. */
export interface QuerySet {
  name: string;
  queries: JudgedQuery[];
}

export type Mark = 'right' | 'wrong';

export function judgedQuery(set: QuerySet | undefined, text: string): JudgedQuery | undefined {
  const wanted = text.trim();
  return set?.queries.find((query) => query.text === wanted);
}

export function markOf(query: JudgedQuery | undefined, key: string): Mark | null {
  if (query?.right.includes(key)) return 'right';
  return query?.wrong.includes(key) ? 'wrong' : null;
}

/**
 * The queries that a run measures: those with a text and with a row that is marked right. Without a text, a search by
 * words would fail.
 */
export function measuredQueries(set: QuerySet | undefined): JudgedQuery[] {
  return set?.queries.filter(({ text, right }) => text !== '' && right.length > 0) ?? [];
}

/** The set with one row of one query marked; null removes the mark. A query without marks is kept. */
export function withMark(set: QuerySet, text: string, key: string, mark: Mark | null): QuerySet {
  const wanted = text.trim();
  const before = judgedQuery(set, wanted) ?? { text: wanted, right: [], wrong: [] };
  const without = (keys: string[]) => keys.filter((one) => one !== key);
  const after: JudgedQuery = {
    text: wanted,
    right: [...without(before.right), ...(mark === 'right' ? [key] : [])],
    wrong: [...without(before.wrong), ...(mark === 'wrong' ? [key] : [])],
  };
  const at = set.queries.findIndex((query) => query.text === wanted);
  return { ...set, queries: at < 0 ? [...set.queries, after] : set.queries.toSpliced(at, 1, after) };
}
