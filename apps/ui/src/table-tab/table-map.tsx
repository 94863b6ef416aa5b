import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import type { Table } from './use-table.ts';

// Few tabs show it, and a worker comes with it.
const VectorMap = lazy(() => import('../vector-map/vector-map.tsx'));

/** The map of the rows that the tab's tenant and filters leave. */
export function TableMap({ table }: { table: Table }) {
  const { store, connectionId, description } = table.props;
  const { partition } = table.view.asked;
  const filters = useStore(store, (state) => state.filters);
  const match = useStore(store, (state) => state.match);
  return (
    <Suspense>
      <VectorMap
        connectionId={connectionId}
        description={description}
        request={{ table: table.props.table, filters, match, ...(partition !== undefined && { partition }) }}
        canSearch={table.can('search') && description.searches !== undefined}
        onOpenRows={(wanted) =>
          store.setState({
            shows: 'rows',
            filters: wanted,
            match: 'all',
            offset: 0,
            search: null,
          })
        }
      />
    </Suspense>
  );
}
