import type { CountRequest, SearchExplanation, SearchTerm } from '@trestle/driver-kit';

/** A word of the search, with the columns of the row that have it. */
export interface WhyTerm {
  term: string;
  columns: { name: string; count: number }[];
}

export function whyTerms(terms: SearchTerm[]): WhyTerm[] {
  const byTerm = Map.groupBy(terms, ({ term }) => term);
  return Array.from(byTerm, ([term, places]) => ({
    term,
    columns: places.map(({ column, count }) => ({ name: column, count })),
  }));
}

/** Where a word is: `title ×2, note`. */
export function placesText({ columns }: WhyTerm): string {
  return columns.map(({ name, count }) => (count === 1 ? name : `${name} ×${count}`)).join(', ');
}

/** Each count is a request, and some take long. */
const mostCounted = 8;

/**
 * How many rows have each word in one of the columns in which the row has it, as requests of counts. The columns of the
 * comparison may have different words, because they may search different columns of the table.
 */
export function rarityRequests(
  explanations: (SearchExplanation | undefined)[],
  { table, partition }: Pick<CountRequest, 'table' | 'partition'>,
): Map<string, CountRequest> {
  const terms = whyTerms(explanations.flatMap((one) => one?.terms ?? []));
  return new Map(
    terms.slice(0, mostCounted).map(({ term, columns }) => [
      term,
      {
        table,
        ...(partition !== undefined && { partition }),
        match: 'any',
        filters: [...new Set(columns.map(({ name }) => name))].map((column) => ({
          column,
          operator: 'equals',
          value: term,
        })),
      },
    ]),
  );
}
