import { rowSetFromCells } from '@trestle/driver-kit';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { drawnId } from './active-cell.tsx';
import { createGridActions } from './grid-actions.ts';
import { GridOverlay, HeaderOverlay } from './grid-overlay.tsx';
import { createGridStore, type GridState } from './grid-store.ts';
import { headerHeight, rowHeight } from './layout.ts';
import type { GridModel } from './model.ts';
import { single } from './navigation.ts';
import { gridModel } from './testing/grid-model.ts';
import type { GridLine } from './types.ts';

const heads = [
  { name: 'id', type: 'int' as const, nativeType: 'INTEGER' },
  { name: 'name', type: 'text' as const, nativeType: 'TEXT' },
];
const rows = rowSetFromCells(heads, [
  [1, 'Earth'],
  [2, 'Mars'],
]);

function modelOf(lines: GridLine[]): GridModel {
  const columns = heads.map((head, at) => ({ ...head, at, pinned: head.name === 'id' }));
  return gridModel(rows, lines, columns);
}

function drawn(model: GridModel, change: (state: GridState) => Partial<GridState>) {
  const context = { props: { label: 'Rows', rows, onEdit: () => {} }, model, viewport: null, grid: null };
  const real = createGridStore();
  const actions = createGridActions(real, () => context);
  actions.edit();
  real.setState(change);
  // `renderToStaticMarkup` reads the initial state of a store.
  const store = { ...real, getInitialState: real.getState };
  return [true, false].map((pinned) => ({
    cells: renderToStaticMarkup(
      <GridOverlay
        {...{ store, model, actions, pinned }}
        anchor={{ current: null }}
        lines={[0, 1]}
        columns={model.columns}
      />,
    ),
    header: renderToStaticMarkup(<HeaderOverlay {...{ store, model, pinned }} />),
  }));
}

const twoLines = modelOf([{ at: 0 }, { at: 1 }]);

test('an open editor stays at its cell and keeps its text if another cell becomes active', () => {
  const [pinned, centre] = drawn(twoLines, ({ editing }) => ({
    selection: single({ row: 1, column: 1 }),
    editing: editing && { ...editing, draft: { current: 'abc' } },
  }));
  const box = `top:0;left:40px;width:100px;height:${rowHeight}px`;
  expect(pinned?.cells).toContain(`style="${box}"><input`);
  expect(pinned?.cells).toContain('value="abc"');
  expect(centre?.cells).not.toContain('<input');
});

test.each([
  ['of an active header', twoLines, -1],
  ['of a page without rows', modelOf([]), 0],
] as const)('a notice %s is drawn at the header', (_, model, row) => {
  const selection = single({ row, column: 1 });
  const [pinned, centre] = drawn(model, () => ({
    ...{ selection, editing: null, focused: true, notice: 'Not sortable' },
  }));
  const box = `top:0;left:0;width:100px;height:${headerHeight}px`;
  expect(centre?.header).toContain(`style="${box}"><div`);
  expect(centre?.header).toContain('Not sortable');
  expect(`${pinned?.header}${pinned?.cells}${centre?.cells}`).not.toContain('Not sortable');
});

test('the active cell has an id only while its column is drawn and its row exists', () => {
  const [id, name] = twoLines.columns;
  const idOf = (row: number, column: number, centre = [name!]) =>
    drawnId({ model: twoLines, gridId: 'g', centre }, { row, column });
  expect([idOf(1, 1), idOf(-1, 1), idOf(1, 0, [])]).toEqual(['g-1-1', 'g-h-1', 'g-1-0']);
  expect([idOf(1, 1, []), idOf(2, 0), idOf(0, 2, [id!])]).toEqual([null, null, null]);
});
