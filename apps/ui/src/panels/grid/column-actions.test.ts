import { rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { createColumnActions } from './column-actions.ts';
import { createGridActions, type GridContext } from './grid-actions.ts';
import { createGridStore } from './grid-store.ts';
import { unpinned } from './layout.ts';
import { menuGroups } from './menu-items.ts';
import { single } from './navigation.ts';
import { gridModel } from './testing/grid-model.ts';
import type { ColumnActs, GridColumn } from './types.ts';

const columns: GridColumn[] = [
  { name: 'id', type: 'int', pinned: true },
  { name: 'distance', type: 'number', isFixed: true },
  { name: 'name', type: 'text' },
  { name: 'note', type: 'text' },
];

function gridOf() {
  const did: unknown[][] = [];
  const columnActs: ColumnActs = {
    hide: (...given) => did.push(['hide', ...given]),
    pin: (...given) => did.push(['pin', ...given]),
    move: (...given) => did.push(['move', ...given]),
    resize: () => {},
    choose: () => {},
    summarise: (...given) => did.push(['summarise', ...given]),
    reset: undefined,
    hiddenCount: 0,
  };
  const rows = rowSetFromCells([], []);
  const model = gridModel(rows, [], columns);
  const context: GridContext = {
    props: { label: 'Rows', rows, columnActs },
    model: { ...model, ...unpinned(model) },
    viewport: null,
    grid: null,
  };
  const menuOf = (column: number) =>
    menuGroups({
      ...context,
      actions: createGridActions(createGridStore(), () => context),
      selection: single({ row: -1, column }),
      copy: () => {},
      paste: () => {},
      onWidth: () => {},
      onFitAll: () => {},
    }).flat();
  return {
    did,
    menuOf,
    actions: createColumnActions(
      () => context,
      () => {},
    ),
  };
}

test('the menu, a move and a drop treat a pinned column as pinned, even if the grid is too narrow to pin columns', () => {
  const { did, menuOf, actions } = gridOf();
  const items = menuOf(0);
  items.find(({ label }) => label === 'Unpin column')?.run();
  actions.moveColumn(0, 1);
  actions.dropColumn(2, 0, 'after');
  expect(did).toEqual([
    ['pin', 'id', false],
    ['pin', 'name', true],
    ['move', 'name', { column: 'id', side: 'after' }],
  ]);
});

test('the menu does not pin, move or hide a column that a search adds, and another column does not move past it', () => {
  const { did, menuOf, actions } = gridOf();
  const offered = menuOf(1).filter(({ disabled }) => !disabled);
  expect(offered.map(({ label }) => label)).toEqual([
    'Fit width',
    'Fit all columns',
    'Reset width',
    'Select column',
    'Columns…',
  ]);
  actions.moveColumn(2, -1);
  actions.dropColumn(3, 1, 'before');
  expect(did).toEqual([]);
  actions.moveColumn(2, 1);
  expect(did).toEqual([['move', 'name', { column: 'note', side: 'after' }]]);
});
