import { type Cell, cutCell, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { copyText } from './clipboard.ts';
import { copiedCells, rememberCopied } from './copied-cells.ts';
import type { GridModel } from './model.ts';
import { type Selection, single } from './navigation.ts';
import { planPaste } from './plan-paste.ts';
import { readPasted } from './read-pasted.ts';
import { gridModel } from './testing/grid-model.ts';
import type { GridColumn, GridLine } from './types.ts';

const columns: GridColumn[] = [
  { name: 'id', type: 'uuid', readOnly: 'The key never changes', insertable: true, nullable: false },
  { name: 'name', type: 'text', nullable: true },
  { name: 'size', type: 'number', nullable: true },
  { name: 'big', type: 'int', nullable: false },
  { name: 'open', type: 'boolean', nullable: true },
  { name: 'born', type: 'date', nullable: true },
  { name: 'data', type: 'json', nullable: true },
  { name: 'raw', type: 'bytes', nullable: true },
  { name: 'any', type: 'any', nullable: true },
];
const uuid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;
const first: Cell[] = [
  uuid('a'),
  'Earth\tand\n"Moon"',
  1.5,
  9007199254740993n,
  true,
  '2026-07-28T09:30:00Z',
  [{ id: 1 }, null, 'true'],
  new Uint8Array([1, 2, 255]),
  '007',
];
const second: Cell[] = [uuid('b'), '', null, 0, false, null, 'true', null, 7];
const rows = rowSetFromCells(
  columns.map(({ name, type }) => ({ name, type, nativeType: type })),
  [first, second],
);

function modelOf(
  lines: GridLine[] = [
    { id: 'a', at: 0 },
    { id: 'b', at: 1 },
  ],
): GridModel {
  return gridModel(rows, lines, columns);
}

function paste(
  text: string,
  selection: Selection,
  more: { lines?: GridLine[]; insertRefusal?: string; readOnly?: string } = {},
) {
  const model = modelOf(more.lines);
  const column = model.columns[selection.active.column]!;
  const target = { names: columns.map(({ name }) => name), column };
  const pasted = copiedCells(text) ?? readPasted(text, target);
  const { readOnly, insertRefusal } = more;
  const plan = planPaste(pasted, { model, selection, readOnly, insertRefusal });
  return { ...plan, said: [plan.tally.title(), ...plan.tally.details()] };
}

const at = (row: number, column: number) => single({ row, column });
const range = (top: number, left: number, bottom: number, right: number): Selection => ({
  active: { row: top, column: left },
  head: { row: bottom, column: right },
});

test('values are read by the type of their column; empty values are NULL, which an int column may refuse', () => {
  const { edits, said } = paste('Mars\t2.5\t7\tno\t2026-01-02\t{"a": 1}\tAQI=\t12', at(0, 1));
  expect(edits.map(({ column, cell }) => [column, cell])).toEqual([
    ['name', 'Mars'],
    ['size', 2.5],
    ['big', 7],
    ['open', false],
    ['born', '2026-01-02T00:00:00Z'],
    ['data', { a: 1 }],
    ['raw', new Uint8Array([1, 2])],
    ['any', 12],
  ]);
  expect(said).toEqual(['Pasted 8 cells']);
  expect(paste('\t\t\t', at(0, 1)).edits).toEqual([
    { line: 0, column: 'name', cell: null },
    { line: 0, column: 'size', cell: null },
    { line: 0, column: 'big', cell: null, problem: 'big does not take NULL' },
    { line: 0, column: 'open', cell: null },
  ]);
});

test('values that do not fit are kept with the reason, and the message gives the reason once for their column', () => {
  const { edits, said } = paste('big one\nhuge', range(0, 2, 1, 2));
  expect(edits).toEqual([
    { line: 0, column: 'size', cell: 'big one', problem: 'Expected a number such as 3.14' },
    { line: 1, column: 'size', cell: 'huge', problem: 'Expected a number such as 3.14' },
  ]);
  expect(said).toEqual([
    'Pasted 2 cells',
    '2 cells do not fit. Fix them before you save: size: Expected a number such as 3.14.',
  ]);
});

test('a large integer is not rounded in a JSON column', () => {
  const { edits } = paste('[{"data": 12345678901234567890}]', at(0, 6));
  expect(edits).toEqual([
    {
      line: 0,
      column: 'data',
      cell: 12345678901234567890n,
      problem: 'A number in this JSON is too large to be kept exactly; put it in quotes',
    },
  ]);
});

test('the word constructor, a property of every JavaScript object, is not read as a boolean', () => {
  expect(paste('constructor', at(0, 4)).edits).toMatchObject([{ column: 'open', cell: 'constructor' }]);
});

test('a read-only column and a row that is marked for deletion stay unchanged', () => {
  const { edits, said } = paste(`${uuid('c')}\tMars`, at(0, 0));
  expect(edits).toEqual([{ line: 0, column: 'name', cell: 'Mars' }]);
  expect(said).toEqual(['Pasted 1 cell', '1 cell was not changed: id: The key never changes.']);
  const deleted = paste('Mars', at(0, 1), { lines: [{ id: 'a', at: 0, state: 'deleted' }] });
  expect(deleted.said[0]).toBe('Nothing was pasted');
});

test('one value fills a selection, and so does a row that fits into the selection a whole number of times', () => {
  expect(paste('x', range(0, 1, 1, 1)).edits.map(({ line, cell }) => [line, cell])).toEqual([
    [0, 'x'],
    [1, 'x'],
  ]);
  expect(paste('x\t1', range(0, 1, 1, 2)).edits).toHaveLength(4);
});

test('rows past the last line become new rows, if the table accepts them', () => {
  const { edits, rows: added, said } = paste('x\t1\ny\t2\nz\t3', at(1, 1));
  expect(edits.map(({ cell }) => cell)).toEqual(['x', 1]);
  expect(added).toEqual([
    [
      { column: 'name', cell: 'y' },
      { column: 'size', cell: 2 },
    ],
    [
      { column: 'name', cell: 'z' },
      { column: 'size', cell: 3 },
    ],
  ]);
  expect(said).toEqual(['Pasted 6 cells, 2 new rows at the top']);
  const refused = paste('x\ny\nz', at(1, 1), { insertRefusal: 'A view takes no rows' });
  expect(refused.rows).toEqual([]);
  expect(refused.said).toEqual([
    'Pasted 1 cell',
    '2 rows beyond the last one were left out: A view takes no rows.',
  ]);
});

test('a paste into a new row adds new rows and leaves the database rows alone', () => {
  const lines: GridLine[] = [
    { id: 'new', state: 'inserted', edited: {} },
    { id: 'a', at: 0 },
  ];
  const { edits, rows: added } = paste(`${uuid('d')}\tx\n${uuid('e')}\ty`, at(0, 0), { lines });
  expect(edits.map(({ line }) => line)).toEqual([0, 0]);
  expect(added).toEqual([
    [
      { column: 'id', cell: uuid('e') },
      { column: 'name', cell: 'y' },
    ],
  ]);
});

test('a fill that starts in a new row changes exactly the selected cells', () => {
  const lines: GridLine[] = [
    { id: 'new', state: 'inserted', edited: {} },
    { id: 'a', at: 0 },
    { id: 'b', at: 1 },
  ];
  const { edits, rows: added } = paste('x', range(0, 1, 2, 1), { lines });
  expect([edits.map(({ line, cell }) => [line, cell]), added]).toEqual([
    [
      [0, 'x'],
      [1, 'x'],
      [2, 'x'],
    ],
    [],
  ]);
});

test('columns past the last one and unknown names are counted', () => {
  expect(paste('1\t2\t3', at(0, 8)).said).toEqual([
    'Pasted 1 cell',
    '2 columns to the right of the last one were left out.',
  ]);
  expect(paste('name\tsize\nMars\t2\t3', at(0, 4)).said).toEqual([
    'Pasted 2 cells',
    '1 column to the right of the last one was left out.',
  ]);
  const named = paste('[{"name": "Mars", "colour": "red"}]', at(0, 4));
  expect(named.edits).toEqual([{ line: 0, column: 'name', cell: 'Mars' }]);
  expect(named.said).toEqual(['Pasted 1 cell', '1 column was left out, since it is not shown here: colour.']);
});

test('a copied range pasted back changes nothing, and pasted elsewhere keeps its values', () => {
  const copy = (from: number, to: number, cells: Cell[][]) => {
    const names = columns.slice(from, to).map(({ name }) => name);
    const text = copyText({ columns: names, rows: cells.map((row) => row.slice(from, to)) }, 'text');
    const types = columns.slice(from, to).map(({ type }) => type);
    rememberCopied(
      text,
      cells.map((row) => row.slice(from, to)),
      types,
    );
    return text;
  };
  const back = paste(copy(0, 9, [first, second]), at(0, 0));
  expect([back.edits, back.said]).toEqual([[], ['The cells already have these values']]);

  const swapped = paste(copy(1, 9, [second, first]), at(0, 1));
  const got = [0, 1].map((line) =>
    swapped.edits.filter((edit) => edit.line === line).map(({ cell }) => cell),
  );
  expect(got).toEqual([second.slice(1), first.slice(1)]);
  for (const [index, cell] of first.entries()) {
    if (index === 0) continue;
    const { edits } = paste(copy(index, index + 1, [first]), at(1, index));
    expect(edits.map((edit) => edit.cell)).toEqual([cell]);
  }
});

test('a value that was not read whole is pasted neither as text nor as a copied cell', () => {
  const cut = cutCell('x'.repeat(9_000_000));
  const text = copyText({ columns: ['name'], rows: [[cut]] }, 'text');
  const refused = ['Nothing was pasted', expect.stringContaining('too large to be copied whole')];
  expect(paste(text, at(0, 1))).toMatchObject({ edits: [], said: refused });
  rememberCopied(text, [[cut]], ['text']);
  expect(paste(text, at(0, 1))).toMatchObject({ edits: [], said: refused });
});
