import { useQueries } from '@tanstack/react-query';
import {
  type Cell,
  type ColumnDescription,
  cellAt,
  type Json,
  ownValue,
  type RowSet,
} from '@trestle/driver-kit';
import { useMemo, useState } from 'react';
import type { GridColumn, GridReference } from '../panels/grid/index.ts';
import {
  elementsOf,
  type ReferenceColumn,
  ReferencePicker,
  referenceNames,
  type Targets,
  targetsQuery,
} from '../panels/references/index.ts';
import type { TableLine } from './table-lines.ts';

/** The grid's columns, with the titles of referenced rows and a picker for them. */
export function useReferences(options: {
  connectionId: string;
  table: string;
  partition: string | undefined;
  described: ColumnDescription[];
  columns: GridColumn[];
  rows: RowSet;
  lines: TableLine[];
  /** The driver can read and search for targets. */
  enabled: boolean;
}): GridColumn[] {
  const { connectionId, table, partition, described, columns, rows, lines, enabled } = options;
  const places = useMemo(
    () =>
      described
        .filter(({ references }) => references && enabled)
        .map(({ name }): ReferenceColumn => {
          return { connectionId, table, ...(partition !== undefined && { partition }), column: name };
        }),
    [connectionId, table, partition, described, enabled],
  );
  const targets = useQueries({
    queries: places.map((at) => targetsQuery(at, elementsIn(at.column, rows, lines))),
    combine: (results) => results.map(({ data }) => data),
  });
  const [latest] = useState(latestTargets);
  return useMemo(() => {
    if (places.length === 0) return columns;
    return columns.map((column) => {
      const index = places.findIndex((at) => at.column === column.name);
      const at = places[index];
      return at ? withReferences(column, at, latest(at, targets[index])) : column;
    });
  }, [columns, places, targets, latest]);
}

/**
 * Returns a function that gives the targets of a column. While new targets load, it gives the previous ones. An edit
 * changes the query, and `keepPreviousData` has no effect in `useQueries`. Without the previous targets, all titles of
 * the column would turn into JSON meanwhile.
 */
export function latestTargets(): (at: ReferenceColumn, loaded: Targets | undefined) => Targets {
  const known = new WeakMap<ReferenceColumn, Targets>();
  return (at, loaded) => {
    if (loaded) known.set(at, loaded);
    return known.get(at) ?? new Map();
  };
}

function withReferences(column: GridColumn, at: ReferenceColumn, targets: Targets): GridColumn {
  return {
    ...column,
    references: (cell) => linksOf(cell, targets),
    picker: (cell, onChange) => <ReferencePicker at={at} cell={cell} onChange={onChange} />,
  };
}

/** The rows that a cell refers to. A row that is gone or not loaded has no target. Null if the cell refers to none. */
export function linksOf(cell: Cell, targets: Targets): GridReference[] | null {
  const elements = elementsOf(cell);
  const names = referenceNames(cell, targets);
  return (
    names?.map((title, index) => {
      const target = targets.get(JSON.stringify(elements[index]));
      return { title, target: target && target.title !== null ? target : null };
    }) ?? null
  );
}

function elementsIn(column: string, rows: RowSet, lines: TableLine[]): Json[] {
  const index = rows.columns.findIndex(({ name }) => name === column);
  const stored = index < 0 ? [] : Array.from({ length: rows.rowCount }, (_, row) => cellAt(rows, index, row));
  const changed = lines.flatMap(({ edited, saved }) => [
    ownValue(edited, column) ?? null,
    ownValue(saved, column) ?? null,
  ]);
  return [...stored, ...changed].flatMap(elementsOf);
}
