import { expect, test } from 'vitest';
import { type Cell, cutCell, cutCells, isCutCell, maxCellBytes, rowSetFromCells, weigh } from './index.ts';

test('a cell that is too large is cut and marked, or replaced by a note', () => {
  const text = 'x'.repeat(maxCellBytes + 1);
  expect(String(cutCell(text))).toMatch(/^x{1000000}… ⟨cut: 8388609 characters, fingerprint [0-9a-f]{14}⟩$/);
  expect(cutCell(text.slice(1))).toBe(text.slice(1));
  expect(cutCell(new Uint8Array(maxCellBytes + 1))).toMatch(
    /^⟨8388609 bytes, too large to show: over 8388608 bytes, fingerprint [0-9a-f]{14}⟩$/,
  );
  for (const large of [text, [text], new Uint8Array(maxCellBytes + 1)]) {
    expect(isCutCell(cutCell(large))).toBe(true);
  }
  for (const cell of [text.slice(1), '… ⟨cut: 5 characters, fingerprint 00000000000000⟩', null])
    expect(isCutCell(cell)).toBe(false);
  expect(cutCell([text])).toMatch(
    /^⟨A value, too large to show: over 8388608 bytes, fingerprint [0-9a-f]{14}⟩$/,
  );
  for (const cell of [null, 1, 2n, true, 'a', { a: [1] }] as Cell[]) expect(cutCell(cell)).toBe(cell);
  const heads = [{ name: 'a', type: 'text' as const, nativeType: '' }];
  const rows = cutCells(rowSetFromCells(heads, [['a'], [text], [null]]));
  expect(rows.values[0]).toMatchObject({ cells: ['a', expect.stringMatching(/cut: 8388609/), null] });
});

test('a cut does not leave half of an emoji', () => {
  const text = `x${'🪐'.repeat(maxCellBytes / 2)}`;
  expect(String(cutCell(text)).isWellFormed()).toBe(true);
  expect(isCutCell(cutCell(text))).toBe(true);
});

test('the size of a value counts all levels, and counting stops above the given size', () => {
  expect(weigh('x'.repeat(100))).toBe(108);
  expect(weigh({ key: new Float32Array(10) })).toBe(8 + 3 + 8 + 40);
  let deep: unknown = 'end';
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(weigh(deep)).toBeGreaterThan(800_000);
  expect(weigh(deep, 1000)).toBeLessThan(1100);
});
