import { DriverError, type Json, type SearchRequest } from '@trestle/driver-kit';
import { findColumn, gridColumns } from './columns.ts';
import { printArguments } from './literal.ts';
import type { FilterContext } from './operators.ts';
import { searchOptionsOf } from './search-options.ts';

/** The GraphQL field that makes a reranker order the results; null if no reranker is requested. */
export function rerankField({ rerank, groupBy, text }: SearchRequest, context: FilterContext): string | null {
  if (!rerank) return null;
  const { refusal } = searchOptionsOf(context).rerank ?? {};
  if (refusal) throw new DriverError({ code: 'unsupported', message: refusal });
  if (groupBy) {
    throw new DriverError({
      code: 'invalid_argument',
      message: 'A search with groups cannot be reranked',
      hint: 'Leave out the groups or the reranker.',
    });
  }
  const { source } = findColumn(gridColumns(context.collection), rerank.column, context.collection);
  if (source.kind !== 'property') {
    throw new DriverError({ code: 'invalid_argument', message: `${rerank.column} cannot rerank rows` });
  }
  const query = rerank.text ?? text;
  return `rerank(${printArguments({ property: source.property.name, query })}) { score }`;
}

export function rerankScore(additional: { [name: string]: Json }): Json | undefined {
  const [first] = (additional.rerank ?? []) as { score?: Json }[];
  return first?.score;
}
