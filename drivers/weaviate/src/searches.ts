import type { SearchMode, SearchRequest, SearchSupport } from '@trestle/driver-kit';
import type { FilterContext } from './operators.ts';
import type { VectorSpace } from './schema.ts';
import { searchOptionsOf } from './search-options.ts';

/** The searches that a collection supports, and why it does not support the others. */
export function searchesOf(context: FilterContext): SearchSupport {
  const { collection } = context;
  const hasText = collection.vectors.some(isMadeFromText);
  const brought = collection.vectors.flatMap(({ name, vectorizer }) =>
    vectorizer === null ? [name ?? ''] : [],
  );
  const hasKeywords = collection.properties.some(({ searchable }) => searchable);
  const refusals: Partial<Record<SearchMode, string>> = {
    ...(!hasText && { near_text: 'The collection has no module that turns text into vectors' }),
    ...(!hasKeywords && { keyword: 'No text property is searchable (indexSearchable)' }),
    ...(!hasKeywords && { hybrid: 'No text property is searchable (indexSearchable)' }),
  };
  const modes: SearchMode[] = ['near_text', 'near_vector', 'near_object', 'keyword', 'hybrid'];
  return {
    modes: modes.map((mode) => ({ mode, ...(refusals[mode] && { refusal: refusals[mode] }) })),
    targetVectors: collection.vectors.flatMap(({ name }) => (name === null ? [] : [name])),
    ...(brought.length > 0 && { broughtVectors: brought }),
    options: searchOptionsOf(context),
  };
}

/** True for modules such as `text2vec-…`, `multi2vec-…` and `text2colbert-…`. False for `img2vec-…`, for example. */
export function isMadeFromText({ vectorizer }: VectorSpace): boolean {
  return /^(text|multi)2/.test(vectorizer ?? '');
}

/** Whether the server ranks the results of the search by a score. Other searches rank by a distance. */
export function isScored({ mode }: Pick<SearchRequest, 'mode'>): boolean {
  return mode === 'keyword' || mode === 'hybrid';
}

/** Whether a module of the collection makes a vector from the text of the search, or reranks its results. */
export function callsModule({ mode, vector, alpha, rerank }: SearchRequest): boolean {
  // With an empty vector, the server makes one from the text.
  const makesVector = mode === 'hybrid' && !vector?.length && alpha !== 0;
  return rerank !== undefined || mode === 'near_text' || makesVector;
}
