import { foldText, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { matchesIn, matchFrom } from './find-matches.ts';
import { gridModel } from './testing/grid-model.ts';
import type { GridLine } from './types.ts';

const rows = rowSetFromCells(
  [
    { name: 'id', type: 'uuid', nativeType: 'uuid' },
    { name: 'note', type: 'text', nativeType: 'text' },
    { name: 'data', type: 'json', nativeType: 'json' },
  ],
  [
    ['6f1c2b0e-8d4a-4c53-9d0f-2f7a2f1f9a10', `${'x'.repeat(5000)} the END`, { city: 'Zürich' }],
    ['00000000-0000-4000-8000-000000000000', null, ['a', 'b']],
  ],
);
const lines: GridLine[] = [{ at: 0 }, { at: 1, edited: { note: 'typed End' } }];
const model = gridModel(rows, lines);
const find = (text: string) => lines.flatMap((_, row) => matchesIn(model, row, foldText(text)));

test('finds visible text, cut-off text and the text of a staged edit, and ignores case', () => {
  expect(find('the end')).toEqual([{ row: 0, column: 1 }]);
  expect(find('END')).toEqual([
    { row: 0, column: 1 },
    { row: 1, column: 1 },
  ]);
  expect(find('9A10')).toEqual([{ row: 0, column: 0 }]);
  expect(find('zu\u0308rich')).toEqual([{ row: 0, column: 2 }]);
  // The page shows a space after the comma. The stored text has none. Both forms are found.
  expect([find('"a", "b"'), find('"a","b"')]).toEqual([[{ row: 1, column: 2 }], [{ row: 1, column: 2 }]]);
  expect(find('')).toEqual([]);
});

test('Σ inside a word equals Σ at its end, and the base64 text of bytes is not searched', () => {
  expect([foldText('ΚΩΣΤΑΣ').includes(foldText('ΚΩΣ')), foldText('ς')]).toEqual([true, 'σ']);
  const blob = rowSetFromCells(
    [{ name: 'any', type: 'any', nativeType: '' }],
    [[new Uint8Array([105, 183, 29])]],
  );
  // The bytes are "abcd" in base64.
  expect(matchesIn(gridModel(blob, [{ at: 0 }]), 0, 'abcd')).toEqual([]);
});

test('the search starts at the active cell and wraps round', () => {
  const matches = [
    { row: 0, column: 2 },
    { row: 3, column: 1 },
  ];
  expect(matchFrom(matches, { row: 0, column: 2 })).toBe(0);
  expect(matchFrom(matches, { row: 1, column: 0 })).toBe(1);
  expect(matchFrom(matches, { row: 3, column: 2 })).toBe(0);
});
