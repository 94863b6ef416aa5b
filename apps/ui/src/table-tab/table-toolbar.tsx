import {
  ChartScatter,
  Code,
  Columns3,
  Download,
  ListFilter,
  PanelRight,
  Plus,
  RotateCw,
  Rows3,
  Table2,
  Upload,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { Button } from '../shared/button.tsx';
import { IconButton } from '../shared/icon-button.tsx';
import { Segments } from '../shared/segments.tsx';
import { Tooltip } from '../shared/tooltip.tsx';
import { PartitionPicker } from './partition-picker.tsx';
import type { TableActions } from './table-actions.ts';
import styles from './table-tab.module.css';
import type { TableShows } from './types.ts';
import type { Table } from './use-table.ts';

/** The acts on the table: on its rows once they can be there, and on its structure. */
export function TableToolbar(props: { table: Table; actions: TableActions; shows: TableShows }) {
  const { table, actions, shows } = props;
  const { view, partitions, refusal } = table;
  const { store, description } = table.props;
  const rows = shows === 'rows' && view.ready;
  const views = viewsOf(table);
  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Table">
      {rows && <RowTools table={table} actions={actions} />}
      {shows !== 'structure' && view.ready && description.partitioned && partitions.data && (
        <PartitionPicker
          partitions={partitions.data}
          value={view.asked.partition}
          onChange={actions.changePartition}
        />
      )}
      <span className={styles.gap} />
      {rows && refusal && <span className={styles.muted}>{refusal}</span>}
      {rows && <ViewTools table={table} actions={actions} />}
      {views.length > 1 && (
        <Segments
          label="View"
          value={shows}
          options={views}
          onValueChange={(next) => store.setState({ shows: next })}
        />
      )}
      <IconButton size="small" label="Reload" shortcut="Mod+R" onClick={view.reload}>
        <RotateCw size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

/** A table without vectors has no map, and one with a single kind of search nothing to compare. */
export function viewsOf({ can, props: { description } }: Table) {
  const views: { value: TableShows; label: string; icon: ReactNode }[] = [
    { value: 'rows', label: 'Rows', icon: <Rows3 size={13} aria-hidden /> },
  ];
  if (can('describeStructure')) {
    views.push({ value: 'structure', label: 'Structure', icon: <Table2 size={13} aria-hidden /> });
  }
  if (can('exportRows') && description.columns.some(({ type }) => type === 'vector')) {
    views.push({ value: 'map', label: 'Map', icon: <ChartScatter size={13} aria-hidden /> });
  }
  const modes = description.searches?.modes.filter(({ refusal }) => !refusal) ?? [];
  if (can('search') && modes.length > 1) {
    views.push({ value: 'compare', label: 'Compare', icon: <Columns3 size={13} aria-hidden /> });
  }
  return views;
}

function RowTools({ table, actions }: { table: Table; actions: TableActions }) {
  const { view, insertRefusal } = table;
  const barOpen = useStore(table.props.store, (state) => state.filterBarOpen);
  const count = view.asked.filters.length;
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        icon={<ListFilter size={14} aria-hidden />}
        aria-expanded={barOpen}
        onClick={barOpen ? actions.closeFilters : actions.openFilters}
      >
        {count > 0 ? `Filters (${count})` : 'Filter'}
      </Button>
      <Tooltip text={insertRefusal ?? 'Add a row'} shortcut={insertRefusal ? undefined : 'Mod+I'}>
        <Button
          size="small"
          variant="quiet"
          icon={<Plus size={14} aria-hidden />}
          disabled={insertRefusal !== undefined}
          focusableWhenDisabled
          onClick={actions.insert}
        >
          Add row
        </Button>
      </Tooltip>
    </>
  );
}

function ViewTools({ table, actions }: { table: Table; actions: TableActions }) {
  const inspectorOpen = useStore(table.props.store, (state) => state.inspectorOpen);
  return (
    <>
      {table.onShowCode && (
        <IconButton size="small" label="Show as code…" onClick={table.onShowCode}>
          <Code size={14} aria-hidden />
        </IconButton>
      )}
      {table.onImport && (
        <IconButton size="small" label="Import…" onClick={table.onImport}>
          <Upload size={14} aria-hidden />
        </IconButton>
      )}
      {table.onExport && (
        <IconButton size="small" label="Export…" onClick={table.onExport}>
          <Download size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton
        size="small"
        label="Row inspector"
        shortcut="Alt+I"
        aria-pressed={inspectorOpen}
        onClick={actions.toggleInspector}
      >
        <PanelRight size={14} aria-hidden />
      </IconButton>
    </>
  );
}
