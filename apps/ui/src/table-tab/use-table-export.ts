import { type ExportChoice, useExport } from '../panels/export/index.ts';
import { exportedRows } from './exported-rows.ts';
import type { TableLine } from './table-lines.ts';
import type { TableStore } from './table-store.ts';
import type { ShownPage } from './use-page.ts';

/** The export of a tab: its table and partition, and the rows that were chosen. */
export function useTableExport(connectionId: string, store: TableStore, table: string) {
  const exporting = useExport();
  return {
    ...exporting,
    begin(choice: ExportChoice, shown: ShownPage | null, at: { lines: TableLine[]; selected: TableLine[] }) {
      const { columns, format, escapeFormulas } = choice;
      const { partition, filters, match, sort } = store.getState();
      const matching = {
        table,
        ...(partition !== undefined && { partition }),
        filters: choice.rows === 'all' ? [] : filters,
        match,
      };
      const rows = exportedRows(choice.rows, shown, at);
      const order = rows.kind === 'page' ? (shown?.request.sort ?? []) : choice.sorted ? sort : [];
      const request = { ...matching, sort: order, columns };
      exporting.start({ connectionId, request, rows, format, escapeFormulas });
    },
  };
}

export type TableExport = ReturnType<typeof useTableExport>;
