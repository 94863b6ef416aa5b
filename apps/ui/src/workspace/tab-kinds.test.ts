import { expect, test } from 'vitest';
import {
  activateTab,
  changeTab,
  closeConnection,
  closeTab,
  discardTab,
  emptyWorkspace,
  keepConnections,
  moveTab,
  showConnection,
  tabsOf,
  type WorkspaceState,
} from '../data/window/workspace-state.ts';
import { isQuery, type QueryTab, withQuery, withSavedQuery } from '../panels/query-editor/query-state.ts';
import { tableTab, withTable, withTableView } from '../table-tab/table-tabs.tsx';
import type { PersistedTable } from '../table-tab/types.ts';
import { restoreWorkspace } from './restore-workspace.ts';
import { closeTabOfKind, mergeTab, reopenLast } from './tab-kinds.ts';

const openTable = (state: WorkspaceState, connectionId: string, table: string, id: string) =>
  withTable(state, connectionId, { ...tableTab(table), id });

const three = ['planets', 'moons', 'missions'].reduce(
  (state, table) => openTable(state, 'a', table, table),
  emptyWorkspace,
);

test('opening a table twice shows the tab it already has', () => {
  const again = openTable(three, 'a', 'moons', 'other');
  expect(tabsOf(again, 'a').list.map((tab) => tab.id)).toEqual(['planets', 'moons', 'missions']);
  expect(tabsOf(again, 'a').active).toBe('moons');
});

test('closing the active tab shows its right neighbour, or else its left', () => {
  const middle = closeTab(activateTab(three, 'a', 'moons'), 'a', 'moons');
  expect(tabsOf(middle, 'a').active).toBe('missions');
  const last = closeTab(middle, 'a', 'missions');
  expect(tabsOf(last, 'a').active).toBe('planets');
  expect(tabsOf(closeTab(last, 'a', 'planets'), 'a')).toMatchObject({ list: [], active: null });
});

test('closing another tab does not change the active tab', () => {
  expect(tabsOf(closeTab(three, 'a', 'planets'), 'a').active).toBe('missions');
});

test('closed tabs are reopened, the last closed one first, but never an empty query', () => {
  const closed = ['q', 'planets', 'moons'].reduce(
    (state, id) => closeTabOfKind(state, 'a', tabsOf(state, 'a').list.find((tab) => tab.id === id)!),
    withQuery(three, 'a', 'q'),
  );
  const once = reopenLast(closed, 'a');
  expect(tabsOf(once, 'a').active).toBe('moons');
  const twice = reopenLast(once, 'a');
  expect(tabsOf(twice, 'a').list.map((tab) => tab.id)).toEqual(['missions', 'moons', 'planets']);
  expect(reopenLast(twice, 'a')).toBe(twice);
});

test('a discarded tab takes no place among the closed tabs', () => {
  let state = openTable(emptyWorkspace, 'a', 'planets', 'last');
  for (let tab = 0; tab < 10; tab++)
    state = closeTab(withQuery(state, 'a', `q${tab}`, 'SELECT 1'), 'a', `q${tab}`);
  const kept = tabsOf(state, 'a').closed;
  expect(kept).toHaveLength(10);
  expect(tabsOf(discardTab(state, 'a', 'last'), 'a')).toMatchObject({ list: [], closed: kept });
});

test('a reopened query takes neither the number nor the saved query of an open tab', () => {
  const saved = { id: 's', text: 'SELECT 1' };
  const closed = closeTab(withSavedQuery(emptyWorkspace, 'a', 'q1', saved), 'a', 'q1');
  expect(tabsOf(reopenLast(closed, 'a'), 'a').list).toMatchObject([{ id: 'q1', number: 1, savedId: 's' }]);
  const again = reopenLast(withSavedQuery(closed, 'a', 'q2', saved), 'a');
  expect(tabsOf(again, 'a').list).toMatchObject([
    { id: 'q2', number: 1, savedId: 's' },
    { id: 'q1', number: 2, savedId: undefined, text: 'SELECT 1' },
  ]);
});

test('a new query gets a number above the numbers of all open queries', () => {
  const two = withQuery(withQuery(emptyWorkspace, 'a', 'q1'), 'a', 'q2', 'SELECT 1');
  const closed = closeTab(two, 'a', 'q1');
  const three = withQuery(closed, 'a', 'q3');
  expect(tabsOf(three, 'a').list.map((tab) => isQuery(tab) && tab.number)).toEqual([2, 3]);
});

test('a tab moves to the place of another, in both directions', () => {
  const ids = (state: typeof three) => tabsOf(state, 'a').list.map((tab) => tab.id);
  expect(ids(moveTab(three, 'a', 'missions', 'planets'))).toEqual(['missions', 'planets', 'moons']);
  expect(ids(moveTab(three, 'a', 'planets', 'missions'))).toEqual(['moons', 'missions', 'planets']);
  expect(moveTab(three, 'a', 'planets', 'nowhere')).toBe(three);
});

test('a closed connection keeps its tabs for the next opening, and its neighbour is shown', () => {
  const both = showConnection(three, 'b');
  const closed = closeConnection(both, 'b');
  expect(closed.current).toBe('a');
  const none = closeConnection(closed, 'a');
  expect(none.current).toBeNull();
  expect(tabsOf(showConnection(none, 'a'), 'a')).toEqual(tabsOf(three, 'a'));
});

test('the state of a deleted connection is removed', () => {
  expect(keepConnections(three, ['b'])).toEqual(emptyWorkspace);
  expect(keepConnections(three, ['a'])).toBe(three);
});

test('the stored state is restored, and invalid parts are left out', () => {
  const state = changeTab<QueryTab>(withQuery(three, 'a', 'q', 'SELECT'), 'a', 'q', { text: 'SELECT 1' });
  expect(restoreWorkspace(JSON.parse(JSON.stringify(state)))).toEqual(state);
  expect(restoreWorkspace('nonsense')).toEqual(emptyWorkspace);
  expect(
    restoreWorkspace({ open: ['a', 7], current: 'gone', tabs: { a: { list: [{ kind: 'x' }, null] } } }),
  ).toEqual({ ...emptyWorkspace, open: ['a'], tabs: { a: { list: [], active: null, closed: [] } } });
});

test('a table is opened with a given search, also in the tab that it already has', () => {
  const tab = { id: 'table-a', kind: 'table' as const, table: 'a', view: { search: 'one' } };
  const opened = withTableView(emptyWorkspace, 'c', tab, 'm1');
  expect(tabsOf(opened, 'c').list).toEqual([tab]);

  const again = withTableView(opened, 'c', { ...tab, view: { search: 'two' } }, 'm2');
  expect(tabsOf(again, 'c').list).toEqual([{ ...tab, view: { search: 'two' }, mount: 'm2' }]);
  expect(tabsOf(again, 'c').active).toBe('table-a');
});

const query = (text: string, more: Partial<QueryTab> = {}): QueryTab => ({
  id: 'q',
  kind: 'query',
  number: 1,
  text,
  showHistory: false,
  ...more,
});

test('if two windows change the same place, the first to write keeps the tab, the other keeps its text in a new tab', () => {
  expect(mergeTab(query('SELECT '), query('SELECT two', { mount: 'm' }), query('SELECT one'))).toEqual({
    tab: { ...query('SELECT one'), mount: 'm', closed: undefined },
    apart: query('SELECT two', { mount: 'm' }),
  });
});

test('a tab that another window closed is closed, unless this window changed its text', () => {
  const closed = query('a', { closed: 5 });
  expect(mergeTab(query('a'), query('a'), closed).tab.closed).toBe(5);
  expect(mergeTab(query('a'), query('a typed'), closed).tab).toMatchObject({
    text: 'a typed',
    closed: undefined,
  });
});

test('if another window changes the view of a table, the tab stays mounted', () => {
  const table = tableTab('planets');
  expect(mergeTab(table, { ...table, mount: 'm' }, tableTab('planets', { offset: 200 })).tab).toEqual({
    ...table,
    view: { offset: 200 },
    mount: 'm',
  });
});

test('for the view of a table, the last change wins', () => {
  const table = (view: PersistedTable) => tableTab('planets', view);
  const base = table({ offset: 0 });
  expect(mergeTab(base, base, table({ offset: 200 })).tab).toMatchObject({ view: { offset: 200 } });
  expect(mergeTab(base, table({ offset: 400 }), table({ offset: 200 })).tab).toMatchObject({
    view: { offset: 400 },
  });
});
