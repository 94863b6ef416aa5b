import { Suspense } from 'react';
import { useStore } from 'zustand';
import { loadPart } from '../controls/loading/load-part.ts';
import type { Table } from './use-table.ts';

// Loaded on demand, since few tabs show this view.
const SearchLab = loadPart(() => import('../panels/search-lab/search-lab.tsx'));

/** Searches side by side, within the tab's partition. A column of the comparison may also use the tab's filters. */
export function TableCompare({ table }: { table: Table }) {
  const { store, connectionId, description, onOpenRow } = table.props;
  const { partition } = table.view.asked;
  const filters = useStore(store, (state) => state.filters);
  const match = useStore(store, (state) => state.match);
  const lab = useStore(store, (state) => state.lab);
  if (!description.searches) return null;
  return (
    <Suspense>
      <SearchLab
        connectionId={connectionId}
        description={description}
        support={description.searches}
        within={{ table: table.props.table, filters, match, ...(partition !== undefined && { partition }) }}
        state={lab}
        query={table.labQuery}
        bar={table.bar}
        canShowCode={table.can('showRequest')}
        onState={(next) => store.setState({ lab: next })}
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
