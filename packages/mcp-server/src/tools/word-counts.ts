import type { Core, DataAccess } from '@trestle/core';
import type { CountRequest, Filter, SearchExplanation } from '@trestle/driver-kit';

/** Each count is a request. */
const mostWords = 8;

/**
 * How many rows of the table have each word, in one of the columns in which the found rows have it: `rows with each
 * word, of 170: moon 12, river 3`. Undefined without words. A word whose rows cannot be counted is left out.
 */
export async function wordCounts(
  core: Core,
  access: DataAccess,
  { table, partition }: Pick<CountRequest, 'table' | 'partition'>,
  explanations: SearchExplanation[],
): Promise<string | undefined> {
  const columns = new Map<string, Set<string>>();
  for (const { term, column } of explanations.flatMap(({ terms = [] }) => terms))
    columns.getOrInsertComputed(term, () => new Set()).add(column);
  if (columns.size === 0) return undefined;
  const count = async (filters: Filter[]) => {
    const place = { table, ...(partition !== undefined && { partition }) };
    try {
      return await core.data.count(access, { ...place, filters, match: 'any' });
    } catch {
      // For example, the property has no index for filters. The search itself has its answer.
      return undefined;
    }
  };
  const words = Array.from(columns).slice(0, mostWords);
  const [all, ...counts] = await Promise.all([
    count([]),
    ...words.map(([term, names]) =>
      count(Array.from(names, (column) => ({ column, operator: 'equals', value: term }))),
    ),
  ]);
  const counted = words.flatMap(([term], at) => (counts[at] === undefined ? [] : [`${term} ${counts[at]}`]));
  if (counted.length === 0) return undefined;
  return `rows with each word${all === undefined ? '' : `, of ${all}`}: ${counted.join(', ')}`;
}
