import { expect, test } from 'vitest';
import {
  emptyWorkspace,
  keepTab,
  openTab,
  previewTab,
  tabsOf,
  type WorkspaceState,
} from './workspace-state.ts';

const tab = (id: string) => ({ id, kind: 'table' });
const preview = (state: WorkspaceState, id: string, kept: string[] = []) =>
  previewTab(state, 'c', tab(id), {
    isSame: (other) => other.id === id,
    isKept: (other) => kept.includes(other.id),
  });
const ids = (state: WorkspaceState) => tabsOf(state, 'c').list.map(({ id }) => id);

test('a preview takes the place of the one before it', () => {
  let state = openTab(emptyWorkspace, 'c', tab('first'));
  state = preview(state, 'a');
  state = openTab(state, 'c', tab('last'));
  expect(ids(state)).toEqual(['first', 'a', 'last']);
  state = preview(state, 'b');
  expect(ids(state)).toEqual(['first', 'b', 'last']);
  expect(tabsOf(state, 'c')).toMatchObject({ active: 'b', preview: 'b', closed: [] });
});

test('a preview that was kept, or in which something was done, stays', () => {
  const one = preview(emptyWorkspace, 'a');
  expect(ids(preview(keepTab(one, 'c', 'a'), 'b'))).toEqual(['a', 'b']);
  expect(ids(preview(one, 'b', ['a']))).toEqual(['a', 'b']);
  expect(keepTab(one, 'c', 'other')).toBe(one);
});

test('a table that is open is shown, and the preview stays', () => {
  const two = preview(openTab(emptyWorkspace, 'c', tab('open')), 'a');
  const shown = preview(two, 'open');
  expect(ids(shown)).toEqual(['open', 'a']);
  expect(tabsOf(shown, 'c')).toMatchObject({ active: 'open', preview: 'a' });
});
