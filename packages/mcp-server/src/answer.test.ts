import { type Cell, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { AnswerBudget, tableAnswer } from './answer.ts';

const columns = [{ name: 'value', type: 'any' as const, nativeType: '' }];

function present(cells: Cell[]) {
  const set = rowSetFromCells(
    columns,
    cells.map((cell) => [cell]),
  );
  return tableAnswer(set, { budget: new AnswerBudget(), includeVectors: true });
}

test('rows up to the first that does not fit, wherever that is', () => {
  for (const before of [0, 1, 31, 32, 33, 100]) {
    const small = Array.from({ length: before }, (_, index) => index);
    const { rows, cut, notes } = present([...small, 'x'.repeat(1_000_000), 'after it']);
    expect([rows, cut]).toEqual([small.map((value) => [value]), true]);
    expect(notes).toEqual([expect.stringContaining(`Cut after ${before} of ${before + 2} rows`)]);
  }
});

test.each([
  ['long texts', (text: string) => text],
  ['long texts in a list', (text: string) => [text]],
  ['long texts in a document', (text: string) => ({ a: { b: [text] } })],
])('%s that no string could hold together are cut, not a failure', (_, cellOf) => {
  const cells = Array.from({ length: 40 }, () => cellOf('x'.repeat(17_000_000)));
  expect(present(cells)).toMatchObject({ rows: [], cut: true });
});
