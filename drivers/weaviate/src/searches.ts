import type { SearchMode, SearchSupport } from '@trestle/driver-kit';
import type { FilterContext } from './operators.ts';
import { searchOptionsOf } from './search-options.ts';

/** Which searches run on a collection, and why not the others. */
export function searchesOf(context: FilterContext): SearchSupport {
  const { collection } = context;
  const hasText = collection.vectors.some(({ vectorizer }) => vectorizer !== null && /2vec/.test(vectorizer));
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
