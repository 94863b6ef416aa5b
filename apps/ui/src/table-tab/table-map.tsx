import { Suspense, useState } from 'react';
import { useStore } from 'zustand';
import { loadPart } from '../controls/loading/load-part.ts';
import type { MapRow } from '../panels/vector-map/use-chosen-row.ts';
import { InspectorSplit } from './inspector-split.tsx';
import { MapInspector } from './map-inspector.tsx';
import type { Table } from './use-table.ts';

// Loaded on demand, since few tabs show the map, and it needs a worker.
const VectorMap = loadPart(() => import('../panels/vector-map/vector-map.tsx'));

/** The map of the rows within the tab's partition and filters. */
export function TableMap({ table }: { table: Table }) {
  const { store, connectionId, description, onOpenRow } = table.props;
  const { partition } = table.view.asked;
  const filters = useStore(store, (state) => state.filters);
  const match = useStore(store, (state) => state.match);
  const [inspected, setInspected] = useState<MapRow | null>(null);
  return (
    <InspectorSplit
      store={store}
      onClose={() => inspected?.onClose()}
      inspector={
        inspected &&
        table.can('readCells') && (
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
              table: table.props.table,
              filters,
              match,
              ...(partition !== undefined && { partition }),
            }}
            bar={table.bar}
            searchField={table.mapSearch}
            can={{
              search: table.can('search') && description.searches !== undefined,
              sample: table.can('sampleRows'),
              readCells: table.can('readCells'),
            }}
            exporting={table.exporting}
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
