import { expect, test } from 'vitest';
import { packEdits, unpackEdits } from './packed-edits.ts';
import { beginSave } from './settle.ts';
import { noEdits, type Step, stage } from './staged-edits.ts';

const edit = (id: string, row: string, cell: string): Step => ({
  id,
  kind: 'edit',
  cells: [{ row, key: { id: row }, column: 'body', cell, from: 'before' }],
});

test('edits with a running save are restored unchanged', () => {
  const both: Step = { ...edit('b', '1', 'x'), cells: [...cellsOf('1'), ...cellsOf('2')] } as Step;
  const edits = [edit('a', '1', 'long'), both].reduce(stage, noEdits);
  for (const rows of [['1', '2'], ['1']]) {
    const saving = beginSave(edits, 'save', rows, 1);
    expect(unpackEdits(packEdits(saving))).toEqual(saving);
  }
});

test('a staged value that a running save sends unchanged is stored only once', () => {
  const long = 'x'.repeat(100_000);
  const edits = stage(noEdits, edit('a', '1', long));
  const saving = beginSave(edits, 'save', ['1'], 1);
  expect(packEdits(saving).length).toBeLessThan(packEdits(edits).length + 1000);
});

test('edits that cannot be read are null', () => {
  for (const bytes of [[], [0, 0, 0], [123, 125]]) expect(unpackEdits(Uint8Array.from(bytes))).toBeNull();
});

function cellsOf(row: string) {
  return [{ row, key: { id: row }, column: 'title', cell: `title ${row}` }];
}
