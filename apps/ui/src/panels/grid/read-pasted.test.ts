import type { Cell, ColumnType } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { copyText } from './clipboard.ts';
import { readPasted } from './read-pasted.ts';

const names = ['id', 'name', 'note', 'size'];

function read(text: string, type: ColumnType = 'text', name = 'name') {
  return readPasted(text, { names, column: { name, type } });
}

/** The texts of a paste, row by row. */
function texts(text: string, type?: ColumnType) {
  return read(text, type).rows.map((row) => row.map((cell) => (cell && 'text' in cell ? cell.text : cell)));
}

test('text of a spreadsheet is divided at tabs; a cell may be in quotes, and a line end after the last row is ignored', () => {
  expect(texts('1\tone\r\n2\t"two\nlines"\r\n3\t"a ""quoted"" word"\r\n')).toEqual([
    ['1', 'one'],
    ['2', 'two\nlines'],
    ['3', 'a "quoted" word'],
  ]);
  expect(texts('a\n\nb\n')).toEqual([['a'], [''], ['b']]);
  expect(texts('"one cell\nof two lines"\n')).toEqual([['one cell\nof two lines']]);
});

test('quotes that no spreadsheet would write are part of the text', () => {
  expect(texts('"Hi" she said\t5" pipe\nplain\tb')).toEqual([
    ['"Hi" she said', '5" pipe'],
    ['plain', 'b'],
  ]);
});

test('CSV is divided at commas or semicolons; prose, or one value with a comma, is not divided', () => {
  expect(texts('1,one\n2,"two, three"')).toEqual([
    ['1', 'one'],
    ['2', 'two, three'],
  ]);
  expect(texts('1;"a;b"\n2;c')).toEqual([
    ['1', 'a;b'],
    ['2', 'c'],
  ]);
  expect(texts('1,one\n2,two\n\n')).toEqual([
    ['1', 'one'],
    ['2', 'two'],
  ]);
  expect(texts('Hello,world\n\n')).toEqual([['Hello,world'], ['']]);
  expect(texts('Hello, world')).toEqual([['Hello, world']]);
  expect(texts('Bern, Aare\nBasel, Rhine')).toEqual([['Bern, Aare'], ['Basel, Rhine']]);
  expect(texts('"a","b"')).toEqual([['a', 'b']]);
  expect(texts('1,2', 'int')).toEqual([['1', '2']]);
  expect(texts('1,2', 'text')).toEqual([['1,2']]);
});

test('a first line of column names says where the values go', () => {
  expect(read('note\tid\nx\t1')).toEqual({ names: ['note', 'id'], rows: [[{ text: 'x' }, { text: '1' }]] });
  expect(read('name\nEarth').names).toEqual(['name']);
  // A single word that is the name of a column, but not of the active column, is a value.
  expect(read('note\nletter').names).toBeNull();
  expect(read('id\tname').names).toBeNull();
});

test('JSON objects with a known column are placed by name, arrays of arrays by position; other JSON is one value', () => {
  expect(read('[{"id": 1, "name": null}, {"note": [1]}]')).toEqual({
    names: ['id', 'name', 'note'],
    rows: [
      [{ value: 1 }, { value: null }, undefined],
      [undefined, undefined, { value: [1] }],
    ],
  });
  expect(read('{"id": 1}\n{"id": 2}').rows).toEqual([[{ value: 1 }], [{ value: 2 }]]);
  expect(read('[[1, "a"], [true, null]]').rows).toEqual([
    [{ value: 1 }, { value: 'a' }],
    [{ value: true }, { value: null }],
  ]);
  expect(texts('["a", "b"]')).toEqual([['["a", "b"]']]);
  expect(texts('{"city": "Bern"}')).toEqual([['{"city": "Bern"}']]);
  expect(read('[{"id": 9007199254740993}]').rows).toEqual([[{ value: 9007199254740993n }]]);
});

test('in a JSON column, a list or an object is one value, unless it consists of rows of this table', () => {
  expect(texts('[[1, 2], [3, 4]]', 'json')).toEqual([['[[1, 2], [3, 4]]']]);
  expect(texts('[{"beacon": "x"}]', 'json')).toEqual([['[{"beacon": "x"}]']]);
  expect(texts('[{"id": 1, "other": 2}]', 'json')).toEqual([['[{"id": 1, "other": 2}]']]);
  expect(read('[{"id": 1, "name": "a"}]', 'json').names).toEqual(['id', 'name']);
});

/** Pseudo-random small numbers, the same in every run. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = [
  '"',
  '""',
  '\t',
  '\n',
  '\r\n',
  '\r',
  ',',
  ';',
  '[',
  '{',
  '}',
  ']',
  ':',
  ' ',
  'a',
  '1',
  'é',
  '😀',
  '\\',
  'null',
];

test('fuzz: a range of several columns that was copied as text reads back as the same text, unless it is JSON', () => {
  const next = random(15);
  const word = () => Array.from({ length: next(6) }, () => pieces[next(pieces.length)]).join('');
  for (let run = 0; run < 4000; run++) {
    const width = 2 + next(3);
    const rows = Array.from({ length: 1 + next(4) }, () => Array.from({ length: width }, word));
    // With this letter, the text never ends in a line end. The reader would remove a line end there.
    rows.at(-1)![width - 1] += 'x';
    const text = copyText({ columns: names.slice(0, width), rows }, 'text');
    if (isJson(text)) continue;
    expect(texts(text), JSON.stringify(text)).toEqual(rows);
  }
});

test('fuzz: every range that was copied as JSON reads back as the same values', () => {
  const next = random(16);
  const value = (): Cell =>
    [null, true, next(1000), -1.5, 'a"\n\t', '', [1, 'x', null], { a: { b: [] } }][next(8)] as Cell;
  for (let run = 0; run < 1000; run++) {
    const rows = Array.from({ length: 1 + next(3) }, () => names.map(value));
    const { rows: got, names: order } = read(copyText({ columns: names, rows }, 'json'));
    expect(order).toEqual(names);
    expect(got.map((row) => row.map((cell) => cell && 'value' in cell && cell.value))).toEqual(rows);
  }
});

test('fuzz: random text does not break the reader, and a row of a JSON object has one cell for each name', () => {
  const next = random(17);
  const more = [...pieces, '{"id":1}', '[{"id":1},{"note":2}]'];
  let named = 0;
  const types: ColumnType[] = ['text', 'int', 'json', 'any', 'boolean', 'vector'];
  for (let run = 0; run < 20_000; run++) {
    const text = Array.from({ length: next(30) }, () => more[next(more.length)]).join('');
    const { rows, names: order } = read(text, types[next(types.length)]);
    expect(rows.length, JSON.stringify(text)).toBeGreaterThan(0);
    if (!order) continue;
    named++;
    expect(rows.every((row) => row.length === order.length)).toBe(true);
  }
  expect(named).toBeGreaterThan(0);
});

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}

test('an array of arrays is one value if all inner arrays are empty', () => {
  expect(texts('[[]]')).toEqual([['[[]]']]);
  expect(read('[[], [1]]').rows).toEqual([[], [{ value: 1 }]]);
});
