import { Suspense } from 'react';
import { useStore } from 'zustand';
import { loadPart } from '../controls/loading/load-part.ts';
import { rowId } from './row-id.ts';
import type { Table } from './use-table.ts';

// Loaded on demand, since few tabs show this view.
const NeighboursView = loadPart(() => import('../panels/neighbours/neighbours-view.tsx'));

/** Duplicates and outliers within the tab's partition and filters. Deletions are staged. */
export function TableNeighbours({ table }: { table: Table }) {
  const { store, connectionId, description, onOpenRow } = table.props;
  const { staged } = table;
  const { partition } = table.view.asked;
  const filters = useStore(store, (state) => state.filters);
  const match = useStore(store, (state) => state.match);
  const lineOf = ({ key }: { key: Parameters<typeof rowId>[0] }) => ({ id: rowId(key), key });
  return (
    <Suspense>
      <NeighboursView
        key={partition}
        connectionId={connectionId}
        description={description}
        request={{ table: table.props.table, filters, match, ...(partition !== undefined && { partition }) }}
        canSearch={table.can('search')}
        bar={table.bar}
        marks={{
          refusal: table.refusal ?? description.readOnly?.delete,
          isMarked: ({ key }) => staged.rows.deleted.has(rowId(key)),
          mark: (rows) => staged.remove(rows.map(lineOf)),
          unmark: (rows) =>
            staged.restore(rows.map((row) => ({ ...lineOf(row), state: 'deleted' as const }))),
        }}
        onOpenRow={
          onOpenRow
            ? (key) => {
                store.setState({ shows: 'rows' });
                onOpenRow(table.props.table, key, partition);
              }
            : undefined
        }
      />
    </Suspense>
  );
}
