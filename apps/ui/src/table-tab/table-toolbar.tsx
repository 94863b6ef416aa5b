import type { TableDescription } from '@trestle/driver-kit';
import {
  ChartScatter,
  Code,
  Columns3,
  CopyPlus,
  Download,
  Ellipsis,
  PanelRight,
  Plus,
  RotateCw,
  Rows3,
  Table2,
  Upload,
  Waypoints,
} from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useStore } from 'zustand';
import { IconButton } from '../controls/buttons/icon-button.tsx';
import { Segments } from '../controls/buttons/segments.tsx';
import { Menu } from '../controls/menus/menu.tsx';
import type { MenuEntry } from '../controls/menus/menu-entries.tsx';
import { entriesOf, FilterBar, storedEntries } from '../panels/filter-bar/index.ts';
import { vectorChoices } from '../panels/neighbours/vector-choice.ts';
import { SearchBar } from '../panels/search-bar/index.ts';
import { vectorColumns } from '../panels/vector-map/map-columns.ts';
import { PartitionPicker } from './partition-picker.tsx';
import type { TableActions } from './table-actions.ts';
import type {
  DescribedTableProps,
  TableCursor,
  TableOffers,
  TablePlaces,
  TableRights,
} from './table-parts.ts';
import styles from './table-tab.module.css';
import type { TableShows } from './types.ts';
import type { Partitions } from './use-page.ts';
import type { Search } from './use-search.ts';
import type { TableView } from './use-table-view.ts';

interface ToolbarProps {
  tab: DescribedTableProps;
  view: TableView;
  partitions: Partitions;
  rights: TableRights;
  search: Search;
  places: TablePlaces;
  cursor: TableCursor;
  offers: TableOffers;
  actions: TableActions;
  /** The places for the controls of a view other than the rows. */
  bar: { setLead(place: HTMLElement | null): void; setTail(place: HTMLElement | null): void };
  shows: TableShows;
}

/** The bar above every view: search, filters, the choice of the view, and the actions of the table. */
export function TableToolbar(props: ToolbarProps) {
  const { view, partitions, actions, shows } = props;
  const { store, description } = props.tab;
  const rows = shows === 'rows' && view.ready;
  const views = viewsOf(description, props.rights.can);
  return (
    <div className={styles.barArea} data-bar-area>
      <div className={styles.toolbar} role="toolbar" aria-label="Table">
        <div className={styles.controls} data-bar-controls>
          {rows && <RowSearch {...props} />}
          {shows !== 'structure' && view.ready && description.partitioned && partitions.data && (
            <PartitionPicker
              partitions={partitions.data}
              value={view.asked.partition}
              onChange={actions.changePartition}
            />
          )}
          {!rows && <span ref={props.bar.setLead} className={styles.lead} />}
          {shows !== 'structure' && view.ready ? <RowFilters {...props} /> : <span className={styles.gap} />}
          {!rows && <span ref={props.bar.setTail} className={styles.tail} />}
        </div>
        {views.length > 1 && (
          <Segments
            label="View"
            compact
            value={shows}
            options={views}
            onValueChange={(next) => store.setState({ shows: next })}
          />
        )}
        <TableTools {...props} rows={rows} />
      </div>
    </div>
  );
}

/** The views that the driver and the table support. A table with a single kind of search has nothing to compare. */
export function viewsOf(description: TableDescription, can: TableRights['can']) {
  const views: { value: TableShows; label: string; icon: ReactNode }[] = [
    { value: 'rows', label: 'Rows', icon: <Rows3 size={13} aria-hidden /> },
  ];
  if (can('describeStructure')) {
    views.push({ value: 'structure', label: 'Structure', icon: <Table2 size={13} aria-hidden /> });
  }
  if (can('exportRows') && vectorColumns(description).length > 0) {
    views.push({ value: 'map', label: 'Map', icon: <ChartScatter size={13} aria-hidden /> });
  }
  const modes = description.searches?.modes.filter(({ refusal }) => !refusal) ?? [];
  if (can('search') && modes.length > 1) {
    views.push({ value: 'compare', label: 'Compare', icon: <Columns3 size={13} aria-hidden /> });
  }
  if (can('exportRows') && description.key.length > 0 && vectorChoices(description).length > 0) {
    views.push({ value: 'neighbours', label: 'Neighbours', icon: <Waypoints size={13} aria-hidden /> });
  }
  return views;
}

function RowSearch({ search, view, places }: Pick<ToolbarProps, 'search' | 'view' | 'places'>) {
  if (!search) return null;
  return (
    <SearchBar
      ref={places.searchBar}
      support={search.support}
      draft={search.draft}
      searched={view.asked.search}
      error={view.fault === 'search' ? view.error : null}
      onDraft={search.setDraft}
      onSearch={search.run}
      onClear={search.clear}
      onLeave={() => places.grid.current?.focus()}
    />
  );
}

function RowFilters({ tab, view, places, cursor }: Pick<ToolbarProps, 'tab' | 'view' | 'places' | 'cursor'>) {
  const { store, description } = tab;
  const { asked, shown, error, fault } = view;
  const off = useStore(store, (state) => state.filtersOff);
  const columns = useMemo(() => description.columns.filter(({ hidden }) => !hidden), [description]);
  return (
    <FilterBar
      ref={places.filterBar}
      connectionId={tab.connectionId}
      table={tab.table}
      columns={columns}
      entries={entriesOf(asked.filters, off)}
      match={asked.match}
      applied={shown?.request ?? { filters: [], match: 'all' }}
      suggested={() => cursor.column.current}
      error={fault === 'filters' ? error : null}
      onApply={(entries, match) => store.setState({ ...storedEntries(entries), match, offset: 0 })}
      onLeave={() => (places.grid.current ?? places.labQuery.current)?.focus()}
    />
  );
}

/** Most actions as buttons, if there is space. The menu contains all actions. */
function TableTools(props: ToolbarProps & { rows: boolean }) {
  const { view, actions, rows } = props;
  const { insertRefusal } = props.rights;
  const { onExport, onImport, onShowCode, onCopy } = props.offers;
  const inspectorOpen = useStore(props.tab.store, (state) => state.inspectorOpen);
  const reload: MenuEntry = {
    label: 'Reload',
    icon: <RotateCw size={13} />,
    shortcut: 'Mod+R',
    onSelect: view.reload,
  };
  const entries: MenuEntry[] = rows
    ? [
        {
          label: 'Add row',
          icon: <Plus size={13} />,
          shortcut: 'Mod+I',
          disabled: insertRefusal !== undefined,
          onSelect: actions.insert,
        },
        ...(onShowCode ? [{ label: 'Show as code…', icon: <Code size={13} />, onSelect: onShowCode }] : []),
        ...(onImport ? [{ label: 'Import…', icon: <Upload size={13} />, onSelect: onImport }] : []),
        ...(onExport ? [{ label: 'Export…', icon: <Download size={13} />, onSelect: () => onExport() }] : []),
        ...(onCopy ? [{ label: 'Copy to…', icon: <CopyPlus size={13} />, onSelect: onCopy }] : []),
        {
          label: inspectorOpen ? 'Hide row inspector' : 'Show row inspector',
          icon: <PanelRight size={13} />,
          shortcut: 'Alt+I',
          onSelect: actions.toggleInspector,
        },
        'separator',
        reload,
      ]
    : [reload];
  return (
    <>
      <span className={styles.tools}>
        {rows && (
          <IconButton
            size="small"
            label="Add row"
            hint={insertRefusal}
            shortcut="Mod+I"
            disabled={insertRefusal !== undefined}
            focusableWhenDisabled
            onClick={actions.insert}
          >
            <Plus size={14} aria-hidden />
          </IconButton>
        )}
        {rows && onShowCode && (
          <IconButton size="small" label="Show as code…" onClick={onShowCode}>
            <Code size={14} aria-hidden />
          </IconButton>
        )}
        {rows && onImport && (
          <IconButton size="small" label="Import…" onClick={onImport}>
            <Upload size={14} aria-hidden />
          </IconButton>
        )}
        {rows && onExport && (
          <IconButton size="small" label="Export…" onClick={() => onExport()}>
            <Download size={14} aria-hidden />
          </IconButton>
        )}
        {rows && (
          <IconButton
            size="small"
            label="Row inspector"
            shortcut="Alt+I"
            aria-pressed={inspectorOpen}
            onClick={actions.toggleInspector}
          >
            <PanelRight size={14} aria-hidden />
          </IconButton>
        )}
        <IconButton size="small" label="Reload" shortcut="Mod+R" onClick={view.reload}>
          <RotateCw size={14} aria-hidden />
        </IconButton>
      </span>
      <Menu
        align="end"
        trigger={
          <IconButton size="small" label="More" className={styles.more}>
            <Ellipsis size={14} aria-hidden />
          </IconButton>
        }
        entries={entries}
      />
    </>
  );
}
