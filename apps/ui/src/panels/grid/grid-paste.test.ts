import { rowSetFromCells } from '@trestle/driver-kit';
import type { ClipboardEvent } from 'react';
import { expect, test, vi } from 'vitest';
import { rememberCopied } from './copied-cells.ts';
import { createGridActions, type GridContext } from './grid-actions.ts';
import { createGridPaste } from './grid-paste.ts';
import { createGridStore } from './grid-store.ts';
import { gridModel } from './testing/grid-model.ts';
import type { GridLine, GridPaste } from './types.ts';

function gridOf(lines: GridLine[]) {
  const rows = rowSetFromCells([{ name: 'name', type: 'text', nativeType: 'TEXT' }], []);
  const pasted: GridPaste[] = [];
  const context: GridContext = {
    props: { label: 'Rows', rows, lines, onPaste: (paste) => pasted.push(paste) },
    model: gridModel(rows, lines),
    viewport: null,
    grid: null,
  };
  const store = createGridStore();
  const actions = createGridActions(store, () => context);
  const { onPaste } = createGridPaste(store, actions, () => context);
  const pasteInto = async (last: number, text: string, types: string[]) => {
    store.setState({ selection: { active: { row: 0, column: 0 }, head: { row: last, column: 0 } } });
    const clipboardData = { types, getData: () => text };
    onPaste({ preventDefault() {}, clipboardData } as unknown as ClipboardEvent);
    await vi.dynamicImportSettled();
  };
  return { store, pasted, pasteInto };
}

test('if one value fills the selection, each filled cell counts towards the limit of a paste', async () => {
  const { pasted, pasteInto } = gridOf(
    Array.from({ length: 100_001 }, (_, at) => ({ id: String(at), edited: { name: '' } })),
  );
  await pasteInto(100_000, 'x', ['text/plain']);
  await pasteInto(1, 'x', ['text/plain']);
  expect(pasted.map(({ edits }) => edits.length)).toEqual([2]);
});

test('a copied NULL is pasted, but a clipboard without text is refused', async () => {
  const { store, pasted, pasteInto } = gridOf([{ id: 'a', edited: { name: 'Earth' } }]);
  rememberCopied('', [[null]], ['text']);
  await pasteInto(0, '', ['Files']);
  expect([pasted, store.getState().notice]).toEqual([[], 'The clipboard holds no text']);
  await pasteInto(0, '', ['text/plain']);
  expect(pasted.map(({ edits }) => edits)).toEqual([[{ line: 0, column: 'name', cell: null }]]);
});
