import type { CountRequest, RowKey, TableDescription } from '@trestle/driver-kit';
import { type Export, ExportDialog } from '../export/index.ts';

/** The export dialog of the map. The selected rows are its first choice, and are exported by their keys. */
export function MapExport(props: {
  connectionId: string;
  description: TableDescription;
  request: CountRequest;
  keys: RowKey[];
  exporting: Export;
  onClose(): void;
}) {
  const { connectionId, request, keys } = props;
  return (
    <ExportDialog
      description={props.description}
      offer={{
        selected: keys.length,
        shown: 0,
        isSearch: false,
        filters: request.filters.length,
        sortedBy: [],
        first: 'selection',
      }}
      isRunning={props.exporting.isRunning}
      onExport={({ rows, columns, format, escapeFormulas }) => {
        props.onClose();
        const matching = { ...request, filters: rows === 'all' ? [] : request.filters };
        const isSelection = rows === 'selection';
        const exported = isSelection ? ({ kind: 'keys', keys } as const) : ({ kind: 'all' } as const);
        const asked = { ...matching, sort: [], columns };
        props.exporting.start({ connectionId, request: asked, rows: exported, format, escapeFormulas });
      }}
      onClose={props.onClose}
    />
  );
}
