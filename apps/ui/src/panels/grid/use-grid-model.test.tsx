import { rowSetFromCells } from '@trestle/driver-kit';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { DataGridProps } from './types.ts';
import { useGridModel } from './use-grid-model.ts';

test('a column named constructor has its own width, although every JavaScript object has a property of that name', () => {
  const columns = ['constructor', 'b'].map((name) => ({ name, type: 'text' as const, width: 70 }));
  const rows = rowSetFromCells(
    columns.map(({ name, type }) => ({ name, type, nativeType: type })),
    [],
  );
  let placed: (string | number)[][] = [];
  function Grid() {
    const { model } = useGridModel({ columns, rows } as unknown as DataGridProps, null);
    placed = model.columns.map(({ name, left, width }) => [name, left, width]);
    return null;
  }
  renderToStaticMarkup(<Grid />);
  expect(placed).toEqual([
    ['constructor', 0, 70],
    ['b', 70, 70],
  ]);
});
