import type { SearchMode, SearchOptions } from '@trestle/driver-kit';
import { gridColumns } from './columns.ts';
import type { FilterContext } from './operators.ts';
import type { Collection } from './schema.ts';

const nearModes: SearchMode[] = ['near_text', 'near_vector', 'near_object'];

/** The search options that the collection has on this version of the server, besides the mode. */
export function searchOptionsOf({ collection, hasSearchOperator }: FilterContext): SearchOptions {
  const columns = gridColumns(collection);
  const named = (test: (column: (typeof columns)[number]) => boolean) =>
    columns.filter(test).map(({ name }) => name);
  const keywordColumns = named(({ source }) => source.kind === 'property' && source.property.searchable);
  const texts = named(
    ({ source }) =>
      source.kind === 'property' && source.property.elementType === 'text' && !source.property.isArray,
  );
  const groupColumns = named(
    ({ source }) =>
      source.kind === 'property' &&
      ['text', 'int', 'number', 'boolean'].includes(source.property.elementType),
  );
  return {
    fusions: [
      { name: 'relativeScoreFusion', label: 'Relative score' },
      { name: 'rankedFusion', label: 'Ranked' },
    ],
    autocut: [...nearModes, 'keyword', 'hybrid'],
    maxDistance: [...nearModes, 'hybrid'],
    ...(keywordColumns.length > 0 && { keywordColumns }),
    ...(keywordColumns.length > 0 && hasSearchOperator && { allWords: true }),
    ...(collection.vectors.filter(({ name }) => name !== null).length > 1 && { joins }),
    groupBy: {
      columns: groupColumns,
      ...(groupColumns.length === 0 && { refusal: 'No property of the collection can group rows' }),
    },
    rerank: { columns: texts, ...rerankRefusal(collection) },
  };
}

const joins = [
  { name: 'minimum', label: 'Smallest' },
  { name: 'average', label: 'Average' },
  { name: 'sum', label: 'Sum' },
  { name: 'manualWeights', label: 'Weighted sum', weighted: true },
  { name: 'relativeScore', label: 'Weighted, relative', weighted: true },
];

function rerankRefusal(collection: Collection): { refusal?: string } {
  const { moduleConfig } = collection.definition as { moduleConfig?: Record<string, unknown> | null };
  const hasModule = Object.keys(moduleConfig ?? {}).some((name) => name.startsWith('reranker-'));
  return hasModule ? {} : { refusal: 'The collection has no reranker module (moduleConfig)' };
}
