import { expect, test } from 'vitest';
import type { QueryTab, TableTab } from '../data/window/workspace-state.ts';
import { changeOf, mergeText } from '../panels/query-editor/merge-text.ts';
import { mergeTab } from './merge-tab.ts';

const query = (text: string, more: Partial<QueryTab> = {}): QueryTab => ({
  id: 'q',
  kind: 'query',
  number: 1,
  text,
  showHistory: false,
  ...more,
});

test('if only one window changed the text, its text is used', () => {
  expect(mergeText('SELECT 1', 'SELECT 1', 'SELECT 2')).toBe('SELECT 2');
  expect(mergeText('SELECT 1', 'SELECT 2', 'SELECT 1')).toBe('SELECT 2');
  expect(mergeText('', 'same', 'same')).toBe('same');
});

test('changes in different places are both kept, in both windows', () => {
  const base = 'SELECT a\nFROM t\nWHERE x';
  const top = 'SELECT a, b\nFROM t\nWHERE x';
  const end = 'SELECT a\nFROM t\nWHERE x AND y';
  expect(mergeText(base, top, end)).toBe('SELECT a, b\nFROM t\nWHERE x AND y');
  expect(mergeText(base, end, top)).toBe('SELECT a, b\nFROM t\nWHERE x AND y');
});

test('changes at the same place are not merged', () => {
  expect(mergeText('SELECT ', 'SELECT one', 'SELECT two')).toBeNull();
  expect(mergeText('abc', '', 'abcd')).toBeNull();
});

test('a single replacement turns one text into the other', () => {
  for (const [before, after] of [
    ['aaa', 'aa'],
    ['', 'x'],
    ['one two', 'one 2 two'],
    ['same', 'same'],
  ] as const) {
    const { from, to, insert } = changeOf(before, after);
    expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
  }
});

test('if two windows change the same place, the first to write keeps the tab, the other keeps its text in a new tab', () => {
  expect(mergeTab(query('SELECT '), query('SELECT two', { mount: 'm' }), query('SELECT one'))).toEqual({
    tab: { ...query('SELECT one'), mount: 'm', closed: undefined },
    apart: 'SELECT two',
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
  const table: TableTab = { id: 't', kind: 'table', table: 'planets', view: null };
  expect(mergeTab(table, { ...table, mount: 'm' }, { ...table, view: { offset: 200 } }).tab).toEqual({
    ...table,
    view: { offset: 200 },
    mount: 'm',
  });
});

test('for the view of a table, the last change wins', () => {
  const table = (view: unknown): TableTab => ({ id: 't', kind: 'table', table: 'planets', view });
  const base = table({ offset: 0 });
  expect(mergeTab(base, base, table({ offset: 200 })).tab).toMatchObject({ view: { offset: 200 } });
  expect(mergeTab(base, table({ offset: 400 }), table({ offset: 200 })).tab).toMatchObject({
    view: { offset: 400 },
  });
});
