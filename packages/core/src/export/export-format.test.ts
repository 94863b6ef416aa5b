import { type Cell, type RowSet, rowSetFromCells } from '@trestle/driver-kit';
import { expect, test } from 'vitest';
import { type TextFormat, textWriter } from './export-format.ts';

function rowsOf(...cells: Cell[]): RowSet {
  return rowSetFromCells(
    [
      { name: 'id', type: 'int', nativeType: 'int' },
      { name: 'text', type: 'any', nativeType: 'text' },
    ],
    cells.map((cell, index) => [index, cell]),
  );
}

function write(format: TextFormat, rows: RowSet[], escapeFormulas = true): string {
  const writer = textWriter(format, { columns: ['id', 'text'], escapeFormulas });
  return rows.map((batch) => writer.rows(batch, 0, batch.rowCount)).join('') + writer.end();
}

test('CSV writes NULL and the empty text differently, and quotes text that a reader would split or trim', () => {
  expect(write('csv', [rowsOf(null, '', 'a,b', 'say "hi"', 'two\nlines', ' x ')])).toBe(
    'id,text\r\n0,\r\n1,""\r\n2,"a,b"\r\n3,"say ""hi"""\r\n4,"two\nlines"\r\n5," x "\r\n',
  );
});

test('text that a spreadsheet would run gets an apostrophe, a number does not', () => {
  const cells: Cell[] = ['=1+1', '+1', '-cmd', '@SUM(A1)', '\t=1', '＝1', 'a=1', -5];
  const plain = write('csv', [rowsOf(...cells)], false)
    .split('\r\n')
    .slice(1);
  const escaped = write('csv', [rowsOf(...cells)])
    .split('\r\n')
    .slice(1);
  expect(escaped).toEqual([
    ...["0,'=1+1", "1,'+1", "2,'-cmd", "3,'@SUM(A1)", `4,'\t'=1`, "5,'＝1", '6,a=1', '7,-5', ''],
  ]);
  expect(plain.slice(0, 3)).toEqual(['0,=1+1', '1,+1', '2,-cmd']);
});

test.each([
  ['\r=1', `"'\r'=1"`],
  ['\n=1', `"'\n'=1"`],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠A', "'＠A"],
  ['-5', "'-5"],
  ['a;=1+1', "a;'=1+1"],
  ['a;"=1+1;b', `"a;'""=1+1;b"`],
  [' =1+1', "' =1+1"],
  ['\u00a0\u3000@A', "'\u00a0\u3000@A"],
  ['\ufeff=1+1', "'\ufeff=1+1"],
  ['\u200b\u2060+1', "'\u200b\u2060+1"],
  ['a; " =1+1', `"a;' "" =1+1"`],
  ['a;\u200b=1+1', "a;'\u200b=1+1"],
  ['SEP=x', "'SEP=x"],
  ['a\n@SUM(A1)\nb', `"a\n'@SUM(A1)\nb"`],
  ['a\t-1', "a\t'-1"],
  ['a - b; c', 'a - b; c'],
  ['a\r\nb', '"a\r\nb"'],
  [['x;=1+1'], `"[""x;'=1+1""]"`],
  [{ a: ';@b' }, `"{""a"":"";'@b""}"`],
  [-5n, '-5'],
  [new Uint8Array([0xf8, 0]), '+AA='],
] as [Cell, string][])(
  'text that a spreadsheet would run, case %#, gets an apostrophe where it would run',
  (cell, field) => {
    expect(write('csv', [rowsOf(cell)])).toBe(`id,text\r\n0,${field}\r\n`);
  },
);

test('the name of a column is escaped for a spreadsheet too', () => {
  const writer = textWriter('csv', { columns: ['=1+1', '@a', 'b'], escapeFormulas: true });
  expect(writer.end()).toBe("'=1+1,'@a,b\r\n");
  const one = textWriter('csv', { columns: ['sep=|'], escapeFormulas: true });
  expect(one.end()).toBe(`"'sep=|"\r\n`);
});

test('CSV and JSON lines contain large integers, booleans, lists, objects and bytes', () => {
  const cells: Cell[] = [9007199254740993n, true, [1, 2], { a: null }, new Uint8Array([1, 2])];
  expect(write('csv', [rowsOf(...cells)]).split('\r\n')).toEqual([
    ...['id,text', '0,9007199254740993', '1,true', '2,"[1,2]"', '3,"{""a"":null}"', '4,AQI=', ''],
  ]);
  expect(write('jsonl', [rowsOf(...cells)])).toBe(
    '{"id":0,"text":"9007199254740993"}\n{"id":1,"text":true}\n{"id":2,"text":[1,2]}\n' +
      '{"id":3,"text":{"a":null}}\n{"id":4,"text":"AQI="}\n',
  );
});

test('several batches, or none, make one document', () => {
  const batches = [rowsOf('a'), rowsOf(), rowsOf('b', '')];
  expect(JSON.parse(write('json', batches))).toEqual([
    { id: 0, text: 'a' },
    { id: 0, text: 'b' },
    { id: 1, text: '' },
  ]);
  expect(JSON.parse(write('json', []))).toEqual([]);
  expect(write('csv', [])).toBe('id,text\r\n');
  expect(write('jsonl', [])).toBe('');
});

test('a vector is written in full, with the shortest decimals', () => {
  const rows: RowSet = {
    rowCount: 2,
    columns: [{ name: 'vector', type: 'vector', nativeType: 'vector' }],
    values: [
      {
        kind: 'vectors',
        dimensions: 2,
        floats: new Float32Array([0.1, -0.45, 0, 0]),
        present: new Uint8Array([1, 0]),
      },
    ],
  };
  expect(write('jsonl', [rows])).toBe('{"vector":[0.1,-0.45]}\n{"vector":null}\n');
  expect(write('csv', [rows])).toBe('vector\r\n"[0.1,-0.45]"\r\n\r\n');
});

test('JSON keeps every column of a query that gives the same name twice', () => {
  const head = (name: string) => ({ name, type: 'int' as const, nativeType: 'int' });
  const rows = rowSetFromCells([head('x'), head('x'), head('x (2)')], [[1, 2, 3]]);
  expect(write('jsonl', [rows])).toBe('{"x":1,"x (2)":2,"x (2) (2)":3}\n');
});
