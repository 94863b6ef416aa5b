import { ExportDialog } from '../panels/export/index.ts';
import { RequestCodeDialog } from '../panels/request-code/index.ts';
import { ChangesDialog } from './changes-dialog.tsx';
import { ColumnSummary } from './column-summary.tsx';
import { ColumnsDialog } from './columns-dialog.tsx';
import { selectedLines, storedLines } from './exported-rows.ts';
import type { SaveRequests } from './save-request.ts';
import type { TableLine } from './table-lines.ts';
import type { DescribedTableProps, TableCursor, TableDialog, TableRights } from './table-parts.ts';
import type { Columns } from './use-columns.ts';
import { searchRequest } from './use-page.ts';
import type { TableExport } from './use-table-export.ts';
import type { TableView } from './use-table-view.ts';

export function TableDialogs(props: {
  dialog: TableDialog;
  tab: DescribedTableProps;
  view: TableView;
  rights: TableRights;
  lines: TableLine[];
  columns: Columns;
  cursor: TableCursor;
  exporting: TableExport;
  saves: SaveRequests;
  onClose(): void;
}) {
  const { dialog, tab, view, lines, exporting, saves, onClose: close } = props;
  const { can } = props.rights;
  if (dialog.kind === 'export') {
    const selected = selectedLines(lines, props.cursor.selected.current);
    return (
      <ExportDialog
        description={tab.description}
        offer={{
          selected: can('readCells') ? selected.length : 0,
          shown: view.isStale ? 0 : storedLines(lines).length,
          isSearch: view.shown?.search != null,
          filters: view.asked.filters.length,
          sortedBy: view.asked.search ? [] : view.asked.sort.map(({ column }) => column),
          ...(dialog.first && { first: dialog.first }),
        }}
        isRunning={exporting.isRunning}
        onExport={(choice) => {
          close();
          exporting.begin(choice, view.shown, { lines, selected });
        }}
        onClose={close}
      />
    );
  }
  if (dialog.kind === 'columns') {
    return <ColumnsDialog table={tab.table} columns={props.columns} onClose={close} />;
  }
  if (dialog.kind === 'summary') {
    const column = tab.description.columns.find(({ name }) => name === dialog.column);
    if (!column) return null;
    const { table: name, partition, filters } = view.request;
    // Without filters, "Match any" may be left over. It must not join the filters of a range.
    const match = filters.length > 0 ? view.request.match : 'all';
    return (
      <ColumnSummary
        connectionId={tab.connectionId}
        column={column}
        of={{ table: name, ...(partition !== undefined && { partition }), filters, match }}
        isSearch={view.search !== null}
        onFilter={(more) => {
          close();
          tab.store.setState(({ filters }) => ({ filters: [...filters, ...more], match, offset: 0 }));
        }}
        onClose={close}
      />
    );
  }
  if (dialog.kind === 'code') {
    const { request, search } = view;
    return (
      <RequestCodeDialog
        connectionId={tab.connectionId}
        shown={
          search ? { kind: 'search', request: searchRequest(request, search) } : { kind: 'browse', request }
        }
        name={tab.table}
        onClose={close}
      />
    );
  }
  return (
    <ChangesDialog
      purpose={dialog.kind}
      connectionId={tab.connectionId}
      changes={saves.dialogChanges(dialog.kind === 'confirm' ? dialog.rows : undefined)}
      canPreview={can('previewChanges')}
      onSave={(changes) => void saves.saveNow(changes)}
      onClose={close}
    />
  );
}
