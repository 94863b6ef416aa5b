import type { CountRequest, Filter, SearchExplanation, SearchTerm } from '@trestle/driver-kit';
import { counted } from '../../controls/text/counted.ts';

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

/** Counts that say how rare each word is. */
export interface RarityRequests {
  /** The rows that have the word in one of the columns in which the found row has it. */
  words: Map<string, CountRequest>;
  /** All rows of the table. */
  all: CountRequest;
}

/** The columns of the comparison may have different words, because they may search different columns of the table. */
export function rarityRequests(
  explanations: (SearchExplanation | undefined)[],
  { table, partition }: Pick<CountRequest, 'table' | 'partition'>,
): RarityRequests {
  const place = { table, ...(partition !== undefined && { partition }) };
  const terms = whyTerms(explanations.flatMap((one) => one?.terms ?? []));
  const words = terms.slice(0, mostCounted).map(({ term, columns }): [string, CountRequest] => {
    const names = [...new Set(columns.map(({ name }) => name))];
    const filters = names.map((column): Filter => ({ column, operator: 'equals', value: term }));
    return [term, { ...place, match: 'any', filters }];
  });
  return { words: new Map(words), all: { ...place, filters: [], match: 'all' } };
}

/** How many rows have a word: `in 3 of 1,204 rows`. */
export function rarityText(rows: number, all: number | undefined): string {
  if (all === undefined || all < rows) return `in ${counted(rows, 'row')}`;
  return `in ${rows.toLocaleString('en')} of ${counted(all, 'row')}`;
}
