import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import type { BarPlaces } from '../controls/layout/in-bar.tsx';
import { loadPart } from '../controls/loading/load-part.ts';
import type { MapRow } from '../panels/vector-map/use-chosen-row.ts';
import { InspectorSplit } from './inspector-split.tsx';
import { MapInspector } from './map-inspector.tsx';
import type { DescribedTableProps, TablePlaces, TableRights } from './table-parts.ts';
import type { TableExport } from './use-table-export.ts';

// Loaded on demand, since few tabs show the map, and it needs a worker.
const VectorMap = loadPart(() => import('../panels/vector-map/vector-map.tsx'));

/** The map of the rows within the tab's partition and filters. */
export function TableMap(props: {
  tab: DescribedTableProps;
  partition: string | undefined;
  rights: TableRights;
  bar: BarPlaces;
  places: TablePlaces;
  exporting: TableExport;
}) {
  const { partition, rights } = props;
  const { store, connectionId, description, onOpenRow } = props.tab;
  const filters = useStore(store, (state) => state.filters);
  const match = useStore(store, (state) => state.match);
  const [inspected, setInspected] = useState<MapRow | null>(null);
  return (
    <InspectorSplit
      store={store}
      onClose={() => inspected?.onClose()}
      inspector={
        inspected &&
        rights.can('readCells') && (
          <MapInspector
            connectionId={connectionId}
            description={description}
            partition={partition}
            rowKey={inspected.key}
            vector={inspected.vector}
            onOpenRow={(name, key) => {
              if (name === description.name && inspected.onFind(key)) return;
              onOpenRow?.(name, key, partition);
            }}
            onPrevious={inspected.onPrevious}
            onNext={inspected.onNext}
            onClose={inspected.onClose}
          />
        )
      }
    >
      {(covered) => (
        <Suspense>
          <VectorMap
            connectionId={connectionId}
            description={description}
            request={{
              table: props.tab.table,
              filters,
              match,
              ...(partition !== undefined && { partition }),
            }}
            bar={props.bar}
            searchField={props.places.mapSearch}
            can={{
              search: rights.can('search') && description.searches !== undefined,
              sample: rights.can('sampleRows'),
              readCells: rights.can('readCells'),
            }}
            exporting={props.exporting}
            covered={covered}
            onOpenRows={(wanted) =>
              store.setState({ shows: 'rows', filters: wanted, match: 'all', offset: 0, search: null })
            }
            onInspect={setInspected}
          />
        </Suspense>
      )}
    </InspectorSplit>
  );
}
