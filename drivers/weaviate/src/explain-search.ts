import type { SearchExplanation, SearchRequest } from '@trestle/driver-kit';
import type { CollectionReader } from './collection-reader.ts';
import { searchOf } from './described-search.ts';
import { partsIn, termsIn } from './explain-score.ts';
import type { FilterContext } from './operators.ts';
import type { FoundObject } from './requests/model/objects.ts';
import { idsIn } from './requests/model/where.ts';

/**
 * Explains the score of each row of a keyword or hybrid search, in the order of `rows`.
 * A hybrid search reports the shares of the keyword part and the vector part, but not the matched words. If the keyword
 * part found a row, a keyword search for the same rows adds the words.
 */
export async function explainRows(
  reader: CollectionReader,
  request: SearchRequest,
  rows: FoundObject[],
  context: FilterContext,
): Promise<SearchExplanation[]> {
  const query = request.text ?? '';
  const explained = ({ explainScore }: FoundObject) => explainScore ?? '';
  if (request.mode === 'keyword') return rows.map((row) => ({ terms: termsIn(explained(row), query) }));
  const parts = rows.map((row) => partsIn(explained(row)));
  if (parts.every(({ keyword }) => keyword === undefined)) return parts;
  const ids = rows.map(({ object }) => object.id);
  const worded = await reader.find({
    columns: [],
    facts: ['explainScore'],
    search: searchOf(keywordSide(request), context),
    where: idsIn(ids),
    limit: ids.length,
  });
  const terms = new Map(worded.map((row) => [row.object.id, termsIn(explained(row), query)]));
  return rows.map(({ object }, index) => ({ terms: terms.get(object.id) ?? [], ...parts[index] }));
}

/** Cut-offs and groups could hide rows of the hybrid search, so the keyword search runs without them. */
function keywordSide(request: SearchRequest): SearchRequest {
  return { ...request, mode: 'keyword', autocut: undefined, maxDistance: undefined, groupBy: undefined };
}
