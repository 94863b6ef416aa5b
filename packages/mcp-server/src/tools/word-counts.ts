import type { Core, DataAccess } from '@trestle/core';
import type { CountRequest, Filter, SearchExplanation } from '@trestle/driver-kit';

/** Each count is a request. */
const mostWords = 8;

/**
 * How many rows of the table have each word, in one of the columns in which the found rows have it: `moon 12, river 3`.
 * Empty without words. A word whose rows cannot be counted is left out.
 */
export async function wordCounts(
  core: Core,
  access: DataAccess,
  { table, partition }: Pick<CountRequest, 'table' | 'partition'>,
  explanations: SearchExplanation[],
): Promise<string> {
  const columns = new Map<string, Set<string>>();
  for (const { term, column } of explanations.flatMap(({ terms = [] }) => terms))
    columns.getOrInsertComputed(term, () => new Set()).add(column);
  const counts = await Promise.all(
    Array.from(columns)
      .slice(0, mostWords)
      .map(async ([term, names]) => {
        const filters = Array.from(names, (column): Filter => ({ column, operator: 'equals', value: term }));
        const request = {
          table,
          filters,
          match: 'any' as const,
          ...(partition !== undefined && { partition }),
        };
        try {
          return [`${term} ${await core.data.count(access, request)}`];
        } catch {
          // For example, the property has no index for filters. The search itself has its answer.
          return [];
        }
      }),
  );
  return counts.flat().join(', ');
}
