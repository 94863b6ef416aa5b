import { type ExportChoice, useExport } from '../export/index.ts';
import { api } from '../shared/api.ts';
import type { TableStore } from './table-store.ts';

/** The export of a tab: its table and partition, and its filters where they are wanted. */
export function useTableExport(connectionId: string, store: TableStore, table: string) {
  const exporting = useExport();
  return {
    ...exporting,
    begin({ filtered, columns, format, escapeFormulas }: ExportChoice) {
      const { partition, filters, match } = store.getState();
      const request = {
        table,
        ...(partition !== undefined && { partition }),
        filters: filtered ? filters : [],
        match,
      };
      void exporting.start(
        { connectionId, request: { ...request, columns }, format, escapeFormulas },
        (signal) => api.tables.count.query({ connectionId, request }, { signal }),
      );
    },
  };
}
