import { expect, test } from 'vitest';
import {
  closeTab,
  emptyWorkspace,
  showHome,
  splitTab,
  type Tab,
  tabsOf,
  takeTab,
  type WorkspaceState,
} from '../data/window/workspace-state.ts';
import { isQuery, type QueryTab, withQuery } from '../panels/query-editor/query-state.ts';
import { tableTab, withTable } from '../table-tab/table-tabs.tsx';
import { besideOthers } from './tab-kinds.ts';
import { layoutOf, storedTab, tabKey, workspaceFrom } from './workspace-records.ts';

const openTable = (state: WorkspaceState, connectionId: string, table: string, id: string) =>
  withTable(state, connectionId, { ...tableTab(table), id });

/** The two windows wrote at the same place: `shared` is what the other window wrote. */
function split(state: WorkspaceState, shared: QueryTab, own: { id: string; text: string }): WorkspaceState {
  const others = tabsOf(state, 'a').list.filter(({ id }) => id !== shared.id);
  const apart = besideOthers({ ...shared, ...own, closed: undefined } as Tab, [...others, shared]);
  return splitTab(state, 'a', shared, apart);
}

const some = closeTab(
  withQuery(
    openTable(openTable(emptyWorkspace, 'a', 'planets', 'p'), 'a', 'moons', 'm'),
    'a',
    'q',
    'SELECT 1',
  ),
  'a',
  'm',
  5,
);

function recordsOf(state: WorkspaceState) {
  const tabs = Object.entries(state.tabs).flatMap(([connectionId, { list, closed }]) =>
    [...list, ...closed].map((tab) => ({
      key: tabKey(connectionId, tab.id),
      version: 1,
      value: storedTab(tab),
    })),
  );
  return [{ key: 'layout', version: 1, value: layoutOf(state) }, ...tabs];
}

test('a workspace is restored from its records unchanged', () => {
  const records = JSON.parse(JSON.stringify(recordsOf(some).toReversed()));
  expect(workspaceFrom(records)).toEqual(some);
});

test('a connection that shows its home is restored with its home', () => {
  const home = showHome(some, 'a');
  expect(workspaceFrom(JSON.parse(JSON.stringify(recordsOf(home))))).toEqual(home);
  const legacy = [{ key: 'workspace', version: 1, value: JSON.parse(JSON.stringify(home)) }];
  expect(tabsOf(workspaceFrom(legacy), 'a').active).toBeNull();
});

test('a stored width that is not a number is left out', () => {
  const layout = { key: 'layout', version: 1, value: { sidebarWidth: 'wide' } };
  expect(workspaceFrom([layout]).sidebarWidth).toBe(emptyWorkspace.sidebarWidth);
});

test('the first tab is active if there is no layout, or if the layout names a tab that no longer exists', () => {
  const tabs = recordsOf(some).slice(1);
  expect(tabsOf(workspaceFrom(tabs), 'a').active).toBe('p');
  const value = { open: ['a'], current: 'a', tabs: { a: { order: ['p', 'q'], active: 'gone' } } };
  expect(tabsOf(workspaceFrom([{ key: 'layout', version: 1, value }, ...tabs]), 'a').active).toBe('p');
});

test('a workspace that an earlier version stored as one record still opens', () => {
  const view = { offset: 200, staged: 'packed', stagedCount: 2 };
  const value = {
    open: ['a'],
    current: 'a',
    sidebarWidth: 300,
    tabs: {
      a: {
        list: [
          { id: '1', kind: 'table', table: 'planets', view },
          { id: '2', kind: 'query', number: 1, text: 'SELECT 1', showHistory: true },
        ],
        active: '2',
        closed: [{ id: '3', kind: 'query', number: 2, text: 'SELECT 2', showHistory: false }],
      },
    },
  };
  const state = workspaceFrom([{ key: 'workspace', version: 1, value }]);
  expect(state).toMatchObject({ open: ['a'], current: 'a', sidebarWidth: 300 });
  expect(tabsOf(state, 'a')).toEqual({
    list: value.tabs.a.list,
    active: '2',
    closed: [{ ...value.tabs.a.closed[0], closed: 1 }],
  });
});

test('a tab that the layout does not know comes last, and damaged records are left out', () => {
  const records = [
    ...recordsOf(some),
    { key: 'tab/a/new', version: 9, value: { kind: 'query', number: 7, text: 'x', showHistory: false } },
    { key: 'tab/a/bad', version: 9, value: { kind: 'nonsense' } },
    { key: 'staged/a/["t",null]', version: 9, value: {} },
  ];
  expect(tabsOf(workspaceFrom(records), 'a').list.map(({ id }) => id)).toEqual(['p', 'q', 'new']);
});

test('if another window opens or deletes a tab, the active tab stays active, unless it is the deleted one', () => {
  const added = takeTab(some, 'a', 'x', { ...tableTab('x'), id: 'x' });
  expect(tabsOf(added, 'a')).toMatchObject({ active: 'q' });
  expect(tabsOf(added, 'a').list.map(({ id }) => id)).toEqual(['p', 'q', 'x']);
  const gone = takeTab(added, 'a', 'p', null);
  expect(tabsOf(gone, 'a')).toMatchObject({ active: 'q' });
  expect(tabsOf(takeTab(gone, 'a', 'q', null), 'a').active).toBe('x');
});

test('a tab that another window opens or changes does not replace the home', () => {
  const home = showHome(some, 'a');
  const added = takeTab(home, 'a', 'x', { ...tableTab('x'), id: 'x' });
  expect(tabsOf(added, 'a').active).toBeNull();
  const changed = takeTab(added, 'a', 'x', { ...tableTab('x', { offset: 200 }), id: 'x' });
  expect(tabsOf(changed, 'a').active).toBeNull();
});

test('text that moves to another tab keeps its editor', () => {
  const [, q] = tabsOf(some, 'a').list;
  if (!q || !isQuery(q)) throw new Error('no query');
  const after = split(some, { ...q, text: 'theirs' }, { id: 'own', text: 'mine' });
  expect(tabsOf(after, 'a').list.slice(1)).toMatchObject([
    { id: 'q', text: 'theirs', mount: 'q-own' },
    { id: 'own', text: 'mine', number: 2, mount: 'q' },
  ]);
  expect(tabsOf(after, 'a').active).toBe('own');
});

test('if the text of this window moves to a new tab, the other window decides whether the old tab is open', () => {
  const [, q] = tabsOf(some, 'a').list;
  if (!q || !isQuery(q)) throw new Error('no query');
  const own = { id: 'own', text: 'mine' };
  const closedThere = tabsOf(split(some, { ...q, text: 'theirs', closed: 5 }, own), 'a');
  expect(closedThere.list.map(({ id }) => id)).toEqual(['p', 'own']);
  expect(closedThere.closed.at(-1)).toMatchObject({ id: 'q', text: 'theirs', closed: 5 });

  const closedHere = takeTab(some, 'a', 'q', { ...q, closed: 5 });
  const reopened = tabsOf(split(closedHere, { ...q, text: 'theirs' }, own), 'a');
  expect(reopened.list).toMatchObject([
    { id: 'p' },
    { id: 'q', text: 'theirs' },
    { id: 'own', text: 'mine' },
  ]);
  expect(reopened.closed.map(({ id }) => id)).not.toContain('q');
});
