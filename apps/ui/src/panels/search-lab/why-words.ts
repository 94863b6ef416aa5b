import type { SearchTerm } from '@trestle/driver-kit';
import type { ColumnResults } from './use-lab-column.ts';

type Results = Pick<ColumnResults, 'rows' | 'kept' | 'isDistance'>;

/** Why a row has this rank in a column: a few short sentences. */
export function reasonWords(results: Results, at: number, number: (value: number) => string): string {
  const row = results.rows[at];
  if (!row) return '';
  const first = results.rows[0]?.value ?? null;
  const { keyword, vector } = row.explanation ?? {};
  const said: string[] = [];
  if (keyword || vector) {
    const parts = [
      keyword ? `${number(keyword.share)} from words` : 'Nothing from words',
      vector ? `${number(vector.share)} from meaning` : 'nothing from meaning',
    ];
    said.push(`${parts.join(', ')}.`);
  } else if (row.value !== null) {
    said.push(`${results.isDistance ? 'Distance' : 'Score'} ${number(row.value)}.`);
  }
  if (row.value !== null && first !== null && at > 0) {
    const behind = results.isDistance ? row.value - first : first - row.value;
    // The first row need not have the best value.
    if (behind >= 0) said.push(`It is ${number(behind)} behind the first.`);
  }
  said.push(at === 0 ? 'No row is before it.' : `${at} ${at === 1 ? 'row is' : 'rows are'} before it.`);
  if (results.kept < results.rows.length) {
    said.push(at < results.kept ? 'It is before the cut.' : 'It is after the cut.');
  }
  return said.join(' ');
}

/** Words of the query that matched nothing in the row. A stop word may be in the row and match nothing. */
export function unmatchedWords(text: string, terms: SearchTerm[]): string[] {
  const found = new Set(terms.flatMap(({ term }) => wordsOf(term)));
  return [...new Set(wordsOf(text))].filter((word) => !found.has(word));
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
