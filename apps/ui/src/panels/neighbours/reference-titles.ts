import { useQueries } from '@tanstack/react-query';
import { type Cell, ownValue } from '@trestle/driver-kit';
import { elementsOf, referenceNames, type Targets, targetsQuery } from '../references/index.ts';
import type { RowPlace } from './row-values.ts';

const none: Targets = new Map();

/** Returns a function that finds the titles of the rows that a cell refers to; null for a cell without references. */
export function useReferenceTitles(
  { connectionId, description, partition }: RowPlace,
  rows: (Record<string, Cell> | null | undefined)[],
): (column: string, cell: Cell) => string | null {
  const columns = description.columns.filter(({ references }) => references !== undefined);
  const targets = useQueries({
    queries: columns.map(({ name }) =>
      targetsQuery(
        {
          connectionId,
          table: description.name,
          ...(partition !== undefined && { partition }),
          column: name,
        },
        rows.flatMap((row) => elementsOf(ownValue(row, name) ?? null)),
      ),
    ),
  });
  return (column, cell) => {
    const at = columns.findIndex(({ name }) => name === column);
    return at < 0 ? null : (referenceNames(cell, targets[at]?.data ?? none)?.join(', ') ?? null);
  };
}
