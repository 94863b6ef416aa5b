import type { TabCommand } from '../data/window/tab-commands.ts';
import type { GridAct } from '../panels/grid/index.ts';
import type { SaveRequests } from './save-request.ts';
import type { TableActions } from './table-actions.ts';
import { viewsOf } from './table-toolbar.tsx';
import type { Table } from './use-table.ts';

/** The actions of a tab, for the palette. `onRows`: the tab shows rows, so the palette offers actions on rows too. */
export function tableCommands(
  table: Table,
  actions: TableActions,
  saves: SaveRequests,
  onRows: boolean,
): TabCommand[] {
  const { view, columns, refusal, insertRefusal, search, grid } = table;
  const act = (kind: GridAct, label: string, shortcut?: string): TabCommand => ({
    id: kind,
    label,
    ...(shortcut && { shortcut }),
    run: () => grid.current?.run(kind),
  });
  const views = viewsOf(table).map(({ value, label }) =>
    command(`show ${value}`, `Show ${label.toLowerCase()}`, () =>
      table.props.store.setState({ shows: value }),
    ),
  );
  const reload = command('reload', 'Reload', view.reload, 'Mod+R');
  const goToSearch = command('search', 'Search', actions.goToSearch, 'Mod+K');
  const { shows } = table.props.store.getState();
  const hasSearch = table.can('search') && (shows === 'map' || shows === 'compare');
  const imports = table.onImport ? [command('import', 'Import…', table.onImport)] : [];
  const edits = editCommands(table, actions, saves);
  if (!onRows) return [...(hasSearch ? [goToSearch] : []), ...edits, ...imports, ...views, reload];
  const changes = refusal === undefined;
  const inserts = insertRefusal === undefined;
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
    ...(table.onShowCode ? [command('code', 'Show as code…', table.onShowCode)] : []),
    ...imports,
    ...(table.onExport ? [command('export', 'Export…', () => table.onExport?.())] : []),
    ...(table.onCopy ? [command('copyTable', 'Copy to…', table.onCopy)] : []),
    ...views,
    reload,
    command('inspector', 'Row inspector', actions.toggleInspector, 'Alt+I'),
  ];
}

/** The actions on staged edits. Every view offers them, since the bar of staged changes is below every view. */
function editCommands({ staged, save }: Table, actions: TableActions, saves: SaveRequests): TabCommand[] {
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
