import type { MouseEvent } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GridActions, GridContext } from './grid-actions.ts';
import { pointerHandlers } from './grid-pointer.ts';
import { createGridStore } from './grid-store.ts';

/** For each selector in `found`, `closest` finds an element with the dataset of that selector. */
class FakeElement {
  readonly found: Record<string, Record<string, string>>;
  constructor(found: Record<string, Record<string, string>>) {
    this.found = found;
  }
  closest(selector: string) {
    const dataset = this.found[selector];
    return dataset ? { dataset } : null;
  }
}

beforeEach(() => {
  vi.stubGlobal('Element', FakeElement);
});
afterEach(() => vi.unstubAllGlobals());

function gridOf(isEditing: boolean) {
  const did: string[] = [];
  const actions = {
    stayInEditor: () => isEditing,
    select: () => did.push('select'),
    sort: () => did.push('sort'),
    openReference: () => did.push('openReference'),
    toggle: () => false,
    edit: () => did.push('edit'),
  };
  const context = { props: { onSort: () => {} } };
  const pointer = pointerHandlers(
    createGridStore(),
    actions as unknown as GridActions,
    () => context as unknown as GridContext,
  );
  return { pointer, did };
}

const on = (found: Record<string, Record<string, string>>) =>
  ({ target: new FakeElement(found), shiftKey: false }) as unknown as MouseEvent;
const header = on({ '[data-header]': { header: '1' } });
const cell = on({
  '[data-line]': { line: '2' },
  '[data-column]': { column: '1' },
  '[data-reference]': { reference: '0' },
});

test('a click on a header sorts, a click on a reference opens it, a double click edits', () => {
  const { pointer, did } = gridOf(false);
  pointer.onClick(header);
  pointer.onClick(cell);
  pointer.onDoubleClick(cell);
  expect(did).toEqual(['select', 'sort', 'openReference', 'edit']);
});

test('while an editor stays open, a click or double click elsewhere does not select, sort, open a reference or edit', () => {
  const { pointer, did } = gridOf(true);
  pointer.onClick(header);
  pointer.onClick(cell);
  pointer.onDoubleClick(cell);
  expect(did).toEqual([]);
});
