import type { TabCommand } from '../data/window/tab-commands.ts';
import type { GridAct } from '../panels/grid/index.ts';
import type { SaveRequests } from './save-request.ts';
import type { TableActions } from './table-actions.ts';
import type {
  DescribedTableProps,
  TableOffers,
  TablePlaces,
  TableRights,
  TableStaging,
} from './table-parts.ts';
import { viewsOf } from './table-toolbar.tsx';
import type { Columns } from './use-columns.ts';
import type { Search } from './use-search.ts';
import type { TableView } from './use-table-view.ts';

/** The actions of a tab, for the palette. `onRows`: the tab shows rows, so the palette offers actions on rows too. */
export function tableCommands(input: {
  tab: Pick<DescribedTableProps, 'store' | 'description'>;
  view: TableView;
  rights: TableRights;
  staging: TableStaging;
  columns: Columns;
  search: Search;
  places: TablePlaces;
  offers: TableOffers;
  actions: TableActions;
  saves: SaveRequests;
  onRows: boolean;
}): TabCommand[] {
  const { tab, view, columns, rights, search, offers, actions, onRows } = input;
  const act = (kind: GridAct, label: string, shortcut?: string): TabCommand => ({
    id: kind,
    label,
    ...(shortcut && { shortcut }),
    run: () => input.places.grid.current?.run(kind),
  });
  const views = viewsOf(tab.description, rights.can).map(({ value, label }) =>
    command(`show ${value}`, `Show ${label.toLowerCase()}`, () => tab.store.setState({ shows: value })),
  );
  const reload = command('reload', 'Reload', view.reload, 'Mod+R');
  const goToSearch = command('search', 'Search', actions.goToSearch, 'Mod+K');
  const { shows } = tab.store.getState();
  const hasSearch = rights.can('search') && (shows === 'map' || shows === 'compare');
  const imports = offers.onImport ? [command('import', 'Import…', offers.onImport)] : [];
  const edits = editCommands(input.staging, actions, input.saves);
  if (!onRows) return [...(hasSearch ? [goToSearch] : []), ...edits, ...imports, ...views, reload];
  const changes = rights.refusal === undefined;
  const inserts = rights.insertRefusal === undefined;
  return [
    act('find', 'Find in the page', 'Mod+F'),
    command('filter', 'Filter', actions.openFilters, 'Shift+Mod+F'),
    ...(search ? [goToSearch] : []),
    ...(view.asked.filters.length > 0
      ? [command('clearFilters', 'Clear filters', actions.clearFilters)]
      : []),
    ...(search && view.asked.search ? [command('clearSearch', 'Clear search', search.clear)] : []),
    command('columns', 'Columns…', columns.acts.choose),
    ...(columns.acts.reset ? [command('resetColumns', 'Reset columns', columns.acts.reset)] : []),
    act('copy', 'Copy', 'Mod+C'),
    ...(changes ? [act('paste', 'Paste', 'Mod+V'), act('fillDown', 'Fill down', 'Mod+D')] : []),
    ...(inserts
      ? [
          command('insert', 'Add row', actions.insert, 'Mod+I'),
          act('duplicateRows', 'Duplicate rows', 'Shift+Mod+D'),
        ]
      : []),
    ...(changes
      ? [act('setNull', 'Set NULL', 'Mod+Backspace'), act('deleteRows', 'Delete rows', 'Delete')]
      : []),
    ...edits,
    ...(offers.onShowCode ? [command('code', 'Show as code…', offers.onShowCode)] : []),
    ...imports,
    ...(offers.onExport ? [command('export', 'Export…', () => offers.onExport?.())] : []),
    ...(offers.onCopy ? [command('copyTable', 'Copy to…', offers.onCopy)] : []),
    ...views,
    reload,
    command('inspector', 'Row inspector', actions.toggleInspector, 'Alt+I'),
  ];
}

/** The actions on staged edits. Every view offers them, since the bar of staged changes is below every view. */
function editCommands(
  { staged, save }: TableStaging,
  actions: TableActions,
  saves: SaveRequests,
): TabCommand[] {
  return [
    ...(staged.canUndo ? [command('undo', 'Undo an edit', actions.undo, 'Mod+Z')] : []),
    ...(staged.canRedo ? [command('redo', 'Redo an edit', actions.redo, 'Shift+Mod+Z')] : []),
    ...(staged.counts.total > 0
      ? [
          command('save', 'Save changes', saves.save, 'Mod+S'),
          // Not offered during a save, which may already have sent the rows.
          ...(save.progress ? [] : [command('discard', 'Discard changes', actions.discard)]),
        ]
      : []),
  ];
}

function command(id: string, label: string, run: () => void, shortcut?: string): TabCommand {
  return { id, label, run, ...(shortcut && { shortcut }) };
}
