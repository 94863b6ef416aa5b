import type { Capability, Manifest } from '@trestle/driver-kit';
import {
  ChartScatter,
  Copy,
  CopyPlus,
  Download,
  Rows3,
  SquareTerminal,
  Table2,
  Trash2,
  Upload,
} from 'lucide-react';
import { type ReactElement, Suspense, useState } from 'react';
import { loadPart } from '../../controls/loading/load-part.ts';
import { ContextMenu } from '../../controls/menus/context-menu.tsx';
import type { MenuEntry } from '../../controls/menus/menu-entries.tsx';
import type { Connection, TableSummary } from '../../data/api/api-types.ts';
import { showError, showToast } from '../../data/messages/toast.tsx';
import { useStatus } from '../../data/queries/queries.ts';
import { useDescription } from '../../data/queries/table-queries.ts';
import { dialogs } from '../../data/window/open-dialog.ts';
import { openTable, requestView } from '../../table-tab/index.ts';
import { canCopy } from '../copy/can-copy.ts';
import { openQuery } from '../query-editor/query-state.ts';
import { vectorColumns } from '../vector-map/map-columns.ts';

// Loaded when the dialog first opens.
const DeleteTable = loadPart(async () => ({ default: (await import('./delete-table.tsx')).DeleteTable }));

/** The actions on a table of the list. */
export function TableMenu(props: {
  connection: Connection;
  manifest: Manifest | undefined;
  table: TableSummary;
  children: ReactElement<Record<string, unknown>>;
}) {
  const { connection, manifest, table } = props;
  const [open, setOpen] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const { capabilities } = useStatus(connection.id);
  const can = (capability: Capability) => capabilities?.includes(capability) ?? true;
  // The menu loads the description when it opens, not before: the list may have a thousand tables.
  const description = useDescription(connection.id, table.name, { enabled: open }).data;
  const show = (wants: Parameters<typeof requestView>[0]['wants']) => {
    openTable(connection.id, table.name);
    requestView({ connectionId: connection.id, table: table.name, wants });
  };
  const hasMap = can('exportRows') && description && vectorColumns(description).length > 0;
  const entries: MenuEntry[] = [{ label: 'Open', icon: <Rows3 size={13} />, onSelect: () => show('rows') }];
  if (can('describeStructure')) {
    entries.push({ label: 'Structure', icon: <Table2 size={13} />, onSelect: () => show('structure') });
  }
  if (hasMap) entries.push({ label: 'Map', icon: <ChartScatter size={13} />, onSelect: () => show('map') });
  entries.push('separator', {
    label: 'Copy name',
    icon: <Copy size={13} />,
    onSelect: () => copyName(table.name),
  });
  if (manifest?.editor.language !== 'none') {
    entries.push({
      label: 'New query',
      icon: <SquareTerminal size={13} />,
      onSelect: () => openQuery(connection.id),
    });
  }
  const takesRows =
    (can('importRows') || can('applyChanges')) &&
    connection.safeMode !== 'readOnly' &&
    description?.readOnly?.insert === undefined &&
    table.kind !== 'view';
  if (takesRows) {
    entries.push({
      label: 'Import…',
      icon: <Upload size={13} />,
      onSelect: () => dialogs.importInto({ connectionId: connection.id, table: table.name }),
    });
  }
  if (can('exportRows')) {
    entries.push({ label: 'Export…', icon: <Download size={13} />, onSelect: () => show('export') });
  }
  if (canCopy(can, table)) {
    entries.push({
      label: 'Copy to…',
      icon: <CopyPlus size={13} />,
      onSelect: () => dialogs.copyTable({ connectionId: connection.id, table: table.name }),
    });
  }
  if (table.dropText) {
    entries.push('separator', {
      label: 'Delete…',
      icon: <Trash2 size={13} />,
      danger: true,
      disabled: connection.safeMode === 'readOnly',
      onSelect: () => setDeleting(true),
    });
  }
  return (
    <>
      <ContextMenu trigger={props.children} open={open} onOpenChange={setOpen} entries={entries} />
      {deleting && (
        <Suspense>
          <DeleteTable
            connection={connection}
            table={table}
            term={manifest?.terms.table[0] ?? 'table'}
            onDone={() => setDeleting(false)}
          />
        </Suspense>
      )}
    </>
  );
}

async function copyName(name: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(name);
    showToast({ title: `“${name}” is copied` });
  } catch (error) {
    showError('The name was not copied', error);
  }
}
