import type { SearchMode, SearchSupport } from '@trestle/driver-kit';
import type { FilterContext } from './operators.ts';
import { searchOptionsOf } from './search-options.ts';

/** The searches that a collection supports, and why it does not support the others. */
export function searchesOf(context: FilterContext): SearchSupport {
  const { collection } = context;
  // `text2vec-…`, `multi2vec-…`, `text2multivec-…`, `text2colbert-…`. Not `img2vec-…` and `ref2vec-…`.
  const hasText = collection.vectors.some(({ vectorizer }) => /^(text|multi)2/.test(vectorizer ?? ''));
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
