import { rowSetFromCells } from '@trestle/driver-kit';
import type { ClipboardEvent } from 'react';
import { expect, test, vi } from 'vitest';
import { createGridActions, type GridContext } from './grid-actions.ts';
import { createGridPaste } from './grid-paste.ts';
import { createGridStore } from './grid-store.ts';
import { lineOffsets, placeColumns } from './layout.ts';
import type { GridLine, GridPaste } from './types.ts';

test('copies that fill the selection count towards the limit', async () => {
  const rows = rowSetFromCells([{ name: 'name', type: 'text', nativeType: 'TEXT' }], []);
  const lines: GridLine[] = Array.from({ length: 100_001 }, (_, at) => ({
    id: String(at),
    edited: { name: '' },
  }));
  const pasted: GridPaste[] = [];
  const context: GridContext = {
    props: { label: 'Rows', rows, lines, onPaste: (paste) => pasted.push(paste) },
    model: {
      ...placeColumns([{ name: 'name', type: 'text' }], rows, () => 100),
      ...{
        rows,
        lines,
        offsets: lineOffsets(lines),
        gutterWidth: 40,
        firstRowNumber: 1,
        deferredCell: undefined,
      },
    },
    viewport: null,
    grid: null,
  };
  const store = createGridStore();
  const actions = createGridActions(store, () => context);
  const { onPaste } = createGridPaste(store, actions, () => context);
  const pasteInto = async (last: number) => {
    store.setState({ selection: { active: { row: 0, column: 0 }, head: { row: last, column: 0 } } });
    const clipboardData = { getData: () => 'x' };
    onPaste({ preventDefault() {}, clipboardData } as unknown as ClipboardEvent);
    await vi.dynamicImportSettled();
  };
  await pasteInto(100_000);
  await pasteInto(1);
  expect(pasted.map(({ edits }) => edits.length)).toEqual([2]);
});
