import { rowId } from '@trestle/core/staged-edits';
import { Suspense } from 'react';
import { useStore } from 'zustand';
import type { BarPlaces } from '../controls/layout/in-bar.tsx';
import { loadPart } from '../controls/loading/load-part.ts';
import type { DescribedTableProps, TableRights } from './table-parts.ts';
import type { Staged } from './use-staged.ts';

// Loaded on demand, since few tabs show this view.
const NeighboursView = loadPart(() => import('../panels/neighbours/neighbours-view.tsx'));

/** Duplicates and outliers within the tab's partition and filters. Deletions are staged. */
export function TableNeighbours(props: {
  tab: DescribedTableProps;
  partition: string | undefined;
  rights: TableRights;
  staged: Staged;
  bar: BarPlaces;
}) {
  const { partition, rights, staged } = props;
  const { store, connectionId, table, description, onOpenRow } = props.tab;
  const filters = useStore(store, (state) => state.filters);
  const match = useStore(store, (state) => state.match);
  const lineOf = ({ key }: { key: Parameters<typeof rowId>[0] }) => ({ id: rowId(key), key });
  return (
    <Suspense>
      <NeighboursView
        key={partition}
        connectionId={connectionId}
        description={description}
        request={{ table, filters, match, ...(partition !== undefined && { partition }) }}
        canSearch={rights.can('search')}
        bar={props.bar}
        marks={{
          refusal: rights.refusal ?? description.readOnly?.delete,
          isMarked: ({ key }) => staged.rows.deleted.has(rowId(key)),
          mark: (rows) => staged.remove(rows.map(lineOf)),
          unmark: (rows) =>
            staged.restore(rows.map((row) => ({ ...lineOf(row), state: 'deleted' as const }))),
        }}
        onOpenRow={
          onOpenRow
            ? (key) => {
                store.setState({ shows: 'rows' });
                onOpenRow(table, key, partition);
              }
            : undefined
        }
      />
    </Suspense>
  );
}
