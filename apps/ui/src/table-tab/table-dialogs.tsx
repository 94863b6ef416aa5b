import { ExportDialog } from '../panels/export/index.ts';
import { RequestCodeDialog } from '../panels/request-code/index.ts';
import { ChangesDialog } from './changes-dialog.tsx';
import { ColumnSummary } from './column-summary.tsx';
import { ColumnsDialog } from './columns-dialog.tsx';
import { selectedLines, storedLines } from './exported-rows.ts';
import type { SaveRequests } from './save-request.ts';
import { searchRequest } from './use-page.ts';
import type { Table } from './use-table.ts';

export function TableDialogs({ table, saves }: { table: Table; saves: SaveRequests }) {
  const { props, view, dialog, setDialog, exporting, can, lines } = table;
  const close = () => setDialog(null);
  if (dialog?.kind === 'export') {
    const selected = selectedLines(lines, table.selected.current);
    return (
      <ExportDialog
        description={props.description}
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
  if (dialog?.kind === 'columns') {
    return <ColumnsDialog table={props.table} columns={table.columns} onClose={close} />;
  }
  if (dialog?.kind === 'summary') {
    const column = props.description.columns.find(({ name }) => name === dialog.column);
    if (!column) return null;
    const { table: name, partition, filters } = view.request;
    // Without filters, "Match any" may be left over. It must not join the filters of a range.
    const match = filters.length > 0 ? view.request.match : 'all';
    return (
      <ColumnSummary
        connectionId={props.connectionId}
        column={column}
        of={{ table: name, ...(partition !== undefined && { partition }), filters, match }}
        isSearch={view.search !== null}
        onFilter={(more) => {
          close();
          props.store.setState(({ filters }) => ({ filters: [...filters, ...more], match, offset: 0 }));
        }}
        onClose={close}
      />
    );
  }
  if (dialog?.kind === 'code') {
    const { request, search } = view;
    return (
      <RequestCodeDialog
        connectionId={props.connectionId}
        shown={
          search ? { kind: 'search', request: searchRequest(request, search) } : { kind: 'browse', request }
        }
        name={props.table}
        onClose={close}
      />
    );
  }
  if (!dialog) return null;
  return (
    <ChangesDialog
      purpose={dialog.kind}
      connectionId={props.connectionId}
      changes={saves.dialogChanges(dialog.kind === 'confirm' ? dialog.rows : undefined)}
      canPreview={can('previewChanges')}
      onSave={(changes) => void saves.saveNow(changes)}
      onClose={close}
    />
  );
}
