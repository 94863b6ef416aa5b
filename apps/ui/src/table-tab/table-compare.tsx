import { Suspense } from 'react';
import { useStore } from 'zustand';
import type { BarPlaces } from '../controls/layout/in-bar.tsx';
import { loadPart } from '../controls/loading/load-part.ts';
import type { DescribedTableProps, TablePlaces, TableRights } from './table-parts.ts';

// Loaded on demand, since few tabs show this view.
const SearchLab = loadPart(() => import('../panels/search-lab/search-lab.tsx'));

/** Searches side by side, within the tab's partition. A column of the comparison may also use the tab's filters. */
export function TableCompare(props: {
  tab: DescribedTableProps;
  partition: string | undefined;
  rights: TableRights;
  bar: BarPlaces;
  places: TablePlaces;
}) {
  const { partition } = props;
  const { store, connectionId, table, description, onOpenRow } = props.tab;
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
        within={{ table, filters, match, ...(partition !== undefined && { partition }) }}
        state={lab}
        query={props.places.labQuery}
        bar={props.bar}
        canShowCode={props.rights.can('showRequest')}
        onState={(next) => store.setState({ lab: next })}
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
