import { rowSetFromCells } from '@trestle/driver-kit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGridActions, type GridContext } from './grid-actions.ts';
import { createGridStore } from './grid-store.ts';
import { hasMenu, menuGroups } from './menu-items.ts';
import { single } from './navigation.ts';
import { runCommand } from './run-command.ts';
import { gridModel } from './testing/grid-model.ts';
import type { GridEdit, GridLine } from './types.ts';
import { placeOf } from './use-anchored-lines.ts';

const rows = rowSetFromCells(
  [
    { name: 'done', type: 'boolean', nativeType: 'BOOLEAN' },
    { name: 'name', type: 'text', nativeType: 'TEXT' },
  ],
  [
    [true, 'Earth'],
    [false, 'Mars'],
    [true, 'Venus'],
  ],
);

function gridOf(lines: GridLine[]) {
  const edits: GridEdit[][] = [];
  const context: GridContext = {
    props: { label: 'Rows', rows, lines, onEdit: (cells) => edits.push(cells) },
    model: gridModel(rows, lines),
    viewport: null,
    grid: null,
  };
  const store = createGridStore();
  const actions = createGridActions(store, () => context);
  const press = (kind: 'activate' | 'setNull' | 'edit' | 'replace', row: number, column = 0) => {
    store.setState({ selection: single({ row, column }), notice: null });
    runCommand({ kind }, store, actions, context, { copy: () => {}, paste: () => {} });
    return store.getState().notice;
  };
  return { context, store, actions, edits, press };
}

const lines: GridLine[] = [
  { id: 'a', at: 0 },
  { id: 'b', at: 1, state: 'deleted' },
  { id: 'c', at: 2, readOnly: 'This row has no key, so it cannot be changed' },
];

test('Space toggles a boolean, but not in a row that is marked for deletion or read-only', () => {
  const { edits, press } = gridOf(lines);
  expect(press('activate', 0)).toBeNull();
  expect(edits).toEqual([[{ line: 0, column: 'done', cell: false }]]);
  expect(press('activate', 1)).toBe('This row is marked for deletion');
  expect(press('activate', 2)).toBe('This row has no key, so it cannot be changed');
  expect(edits).toHaveLength(1);
});

test.each(['setNull', 'edit', 'replace'] as const)(
  '%s is refused in a row that is marked for deletion',
  (kind) => {
    const { edits, press, store } = gridOf(lines);
    expect(press(kind, 1, 1)).toBe('This row is marked for deletion');
    expect([edits, store.getState().editing]).toEqual([[], null]);
  },
);

test('the menu disables Edit, Set NULL and Set empty text in a row that is marked for deletion', () => {
  const { context, store, actions } = gridOf(lines);
  const refused = (row: number) =>
    menuGroups({
      ...context,
      actions,
      selection: single({ row, column: 1 }),
      copy: () => {},
      paste: () => {},
      onWidth: () => {},
      onFitAll: () => {},
    })
      .flat()
      .filter(({ disabled }) => disabled)
      .map(({ label }) => label);
  expect(store.getState().editing).toBeNull();
  expect(refused(0)).toEqual([]);
  expect(refused(1)).toEqual(['Edit', 'Set NULL', 'Set empty text']);
});

test('if the table refuses deletions, only new rows can be removed', () => {
  const { context, store, actions } = gridOf([
    { id: 'new', state: 'inserted' },
    { id: 'a', at: 0 },
  ]);
  const removed: number[][] = [];
  const deleteRefusal = 'This view does not delete rows';
  context.props = { ...context.props, deleteRefusal, onDeleteRows: (indices) => removed.push(indices) };
  const press = (from: number, to: number) => {
    actions.selectRows(from, to);
    actions.deleteRows();
    return store.getState().notice;
  };
  expect(press(0, 1)).toBe(deleteRefusal);
  expect(press(1, 1)).toBe(deleteRefusal);
  expect(removed).toEqual([]);
  expect(press(0, 0)).toBeNull();
  expect(removed).toEqual([[0]]);
});

test('the menu entry Keep counts the rows marked for deletion, and Delete counts the other selected rows', () => {
  const { context, actions } = gridOf(lines);
  context.props = { ...context.props, onRestoreRows: () => {}, onDeleteRows: () => {} };
  const labels = menuGroups({
    ...context,
    actions,
    selection: { active: { row: 0, column: 1 }, head: { row: 2, column: 1 } },
    copy: () => {},
    paste: () => {},
    onWidth: () => {},
    onFitAll: () => {},
  })
    .flat()
    .map(({ label }) => label);
  expect(labels.filter((label) => /^(Keep|Delete)/.test(label))).toEqual(['Keep row', 'Delete 2 rows']);
});

test('if the grid becomes read-only while an editor is open, a commit leaves the editor open and says why', () => {
  const { context, store, actions, edits, press } = gridOf(lines);
  press('edit', 0, 1);
  context.props = { ...context.props, readOnly: 'This driver does not change rows' };
  actions.commit('Terra', 'down');
  expect(store.getState().editing?.blocked).toBe('This driver does not change rows');
  expect(edits).toEqual([]);
  context.props = { ...context.props, readOnly: undefined };
  actions.commit('Terra', 'stay');
  expect(store.getState().editing).toBeNull();
  expect(edits).toEqual([[{ line: 0, column: 'name', cell: 'Terra', of: lines[0] }]]);
});

test('a value goes into the column it was typed for, even if that column was moved or hidden', () => {
  const { context, actions, edits, press } = gridOf(lines);
  const { columns } = context.model;
  for (const now of [columns.toReversed(), columns.slice(0, 1)]) {
    context.model = { ...context.model, columns };
    press('edit', 0, 1);
    context.model = { ...context.model, columns: now };
    actions.commit('Terra', 'stay');
    expect(edits.pop()).toEqual([{ line: 0, column: 'name', cell: 'Terra', of: lines[0] }]);
  }
});

test('a line is found again by its id, or by the id that it had as a new row; a removed line is not found', () => {
  const [a, b] = lines;
  expect(placeOf(a, 0, lines)).toBe(0);
  expect(placeOf(a, 0, [{ id: 'new', state: 'inserted' }, ...lines])).toBe(1);
  expect(placeOf({ id: 'new' }, 0, [...lines, { id: 'd', formerId: 'new' }])).toBe(3);
  expect(placeOf(b, 1, [lines[0]!])).toBeNull();
  expect(placeOf({}, 1, lines)).toBe(1);
});

test('the menu key keeps the selection if the active cell is scrolled out of view', () => {
  vi.stubGlobal('MouseEvent', Event);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { context, store, actions } = gridOf(lines);
  const viewport = Object.assign(new EventTarget(), {
    getBoundingClientRect: () => ({ left: 0, bottom: 9 }),
  });
  let opened = 0;
  viewport.addEventListener('contextmenu', () => opened++);
  context.viewport = viewport as unknown as HTMLElement;
  actions.selectRows(0, 2);
  const { selection } = store.getState();
  runCommand({ kind: 'menu' }, store, actions, context, { copy: () => {}, paste: () => {} });
  expect([opened, store.getState().selection]).toEqual([1, selection]);
});

test('a commit because the focus leaves the editor does not take the focus back', () => {
  const { context, store, actions, press } = gridOf(lines);
  const { grid, focusCount } = focusableGrid();
  context.grid = grid;
  press('edit', 0, 1);
  actions.commit('Terra', 'leave');
  expect([store.getState().editing, focusCount()]).toEqual([null, 0]);
  press('edit', 0, 1);
  actions.commit('Terra', 'stay');
  expect(focusCount()).toBe(1);
});

test('the action focus marks the grid as focused, without a focus event', () => {
  const { context, store, actions } = gridOf(lines);
  context.grid = focusableGrid().grid;
  actions.focus();
  expect(store.getState().focused).toBe(true);
});

test('Tab to a value that is not loaded moves the focus to the grid and says why no editor opens', () => {
  const { context, store, actions, press } = gridOf(lines);
  const { grid, focusCount } = focusableGrid(() => store.setState({ notice: null }));
  context.grid = grid;
  const { columns } = context.model;
  const deferred = { ...columns[1]!, name: 'embedding', source: -1, index: 2 };
  context.model = { ...context.model, columns: [...columns, deferred] };
  press('edit', 0, 1);
  actions.commit('Terra', 'right');
  const { editing, notice } = store.getState();
  expect([editing, notice, focusCount()]).toEqual([null, 'This value is not loaded yet', 1]);
});

test('stayInEditor moves the focus back to an open large editor', () => {
  const { store, actions, press } = gridOf(lines);
  let focused = '';
  const element = (name: string, inner: unknown) => ({
    querySelector: () => inner,
    focus: () => (focused = name),
  });
  const content = element('content', null);
  const popup = { querySelector: () => element('editor', content) };
  vi.stubGlobal('document', { querySelector: (found: string) => found === '[data-grid-popup]' && popup });
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(actions.stayInEditor()).toBe(false);
  press('edit', 0, 1);
  store.setState(({ editing }) => ({ editing: editing && { ...editing, mode: 'large' } }));
  expect([actions.stayInEditor(), focused]).toEqual([true, 'content']);
});

test('a notice that is said again stays for its whole time', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { store, actions } = gridOf(lines);
  actions.say('Copied', { forMs: 1500 });
  vi.advanceTimersByTime(1000);
  actions.say('Copied', { forMs: 1500 });
  vi.advanceTimersByTime(1000);
  expect(store.getState().notice).toBe('Copied');
  vi.advanceTimersByTime(500);
  expect(store.getState().notice).toBeNull();
});

test('if none of the selected rows can be changed, Delete says why', () => {
  const { context, store, actions } = gridOf(lines);
  const removed: number[][] = [];
  context.props = { ...context.props, onDeleteRows: (indices) => removed.push(indices) };
  actions.selectRows(1, 2);
  actions.deleteRows();
  expect(store.getState().notice).toBe('This row has no key, so it cannot be changed');
  actions.selectRows(0, 2);
  actions.deleteRows();
  expect([store.getState().notice, removed]).toEqual([null, [[0, 1, 2]]]);
});

test('a row that a save has deleted can be neither deleted nor restored', () => {
  const { context, store, actions } = gridOf([
    { id: 'a', at: 0, state: 'gone', readOnly: 'This row was deleted' },
  ]);
  const called: string[] = [];
  context.props = {
    ...context.props,
    onDeleteRows: () => called.push('delete'),
    onRestoreRows: () => called.push('restore'),
  };
  actions.selectRows(0, 0);
  actions.deleteRows();
  expect([store.getState().notice, called]).toEqual(['This row was deleted', []]);
});

test('a page without rows has no menu, but its headers have one', () => {
  const { context } = gridOf([]);
  expect(hasMenu(context.model, single({ row: 0, column: 0 }))).toBe(false);
  expect(hasMenu(context.model, single({ row: -1, column: 0 }))).toBe(true);
});

/** A grid element that counts how often it gets the focus. */
function focusableGrid(onFocus = () => {}) {
  let count = 0;
  const ownerDocument: { activeElement: unknown } = { activeElement: null };
  const grid = {
    ownerDocument,
    focus() {
      count++;
      ownerDocument.activeElement = grid;
      onFocus();
    },
  };
  return { grid: grid as unknown as HTMLElement, focusCount: () => count };
}
